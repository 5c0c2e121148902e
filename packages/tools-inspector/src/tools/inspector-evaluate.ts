import { z } from 'zod';
import {
  AgentError,
  defineTool,
  InvalidRequestError,
  ToolDeniedError,
} from '@harperfast/agent-core/contracts';
import type { Tool } from '@harperfast/agent-core/contracts';
import { evaluateReadOnly } from '../evaluate/evaluate-read-only.js';
import { renderEvaluation } from '../evaluate/render-evaluation.js';
import type { InspectorLimits } from '../limits.js';
import { findWorker } from '../workers/find-worker.js';
import type { WorkerConnections } from '../workers/worker-connections.js';
import { nameOf } from '../workers/worker-target.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { workerIndex } from './worker-input.js';

/** `inspector_evaluate`: looks at a worker's live state; V8 refuses whatever would change it. */
export function inspectorEvaluate(
  workers: () => readonly WorkerTarget[],
  connections: WorkerConnections,
  limits: InspectorLimits,
): Tool {
  return defineTool({
    name: 'inspector_evaluate',
    description:
      "Evaluates a JavaScript expression in a worker's global scope and shows the value. Read only: V8 refuses an expression " +
      'that would change anything (assignments, console, timers, promises, most of Node). It sees globals, not the ' +
      'variables of modules. For several steps write (() => { …; return x })(). Attaching first is not needed.',
    input: z.strictObject({
      workerIndex,
      expression: z.string().min(1).max(limits.expressionCharacters).describe('A single expression.'),
      timeoutMs: z
        .int()
        .min(1)
        .max(limits.maxEvaluateMs)
        .optional()
        .describe(`When to stop it; ${limits.evaluateMs} by default. The worker serves nothing meanwhile.`),
    }),
    effect: 'read',
    async execute({ expression, timeoutMs = limits.evaluateMs, ...input }, { signal }) {
      const worker = findWorker(workers(), input.workerIndex);
      const evaluation = await connections.use(worker.threadId, (connection) =>
        evaluateReadOnly(connection, expression, { timeoutMs, limits: limits.value, signal }),
      );
      switch (evaluation.kind) {
        case 'side_effect':
          throw new ToolDeniedError(
            `V8 refused the expression on ${nameOf(worker)}, because it would change something or may: nothing was changed. ` +
              'This tool only reads; ask for properties and values instead',
          );
        case 'syntax':
          throw new InvalidRequestError(
            `This is not one JavaScript expression: ${evaluation.message}. For several steps write (() => { …; return x })()`,
          );
        case 'timeout':
          throw new AgentError(
            'evaluate_timeout',
            `The expression took longer than ${timeoutMs} ms on ${nameOf(worker)} and was stopped; nothing was changed. Ask for less`,
          );
        default: {
          const { text, truncated } = renderEvaluation(evaluation);
          return { text, truncated, data: { ...worker, evaluation } };
        }
      }
    },
  });
}
