import { z } from 'zod';
import {
  AgentError,
  ConflictError,
  defineTool,
  InvalidRequestError,
  ToolDeniedError,
} from '@harperfast/agent-core/contracts';
import type { Tool, ToolOutput } from '@harperfast/agent-core/contracts';
import { evaluateReadOnly } from '../evaluate/evaluate-read-only.js';
import { evaluateWithEffects } from '../evaluate/evaluate-with-effects.js';
import type { Evaluation } from '../evaluate/evaluation.js';
import { renderEvaluation } from '../evaluate/render-evaluation.js';
import type { Inspector } from '../inspector.js';
import { readWorkerMask } from '../redact/worker-secrets.js';
import type { Mask } from '../redact/worker-secrets.js';
import { findWorker } from '../workers/find-worker.js';
import { nameOf } from '../workers/worker-target.js';
import type { WorkerTarget } from '../workers/worker-target.js';
import { workerIndex } from './worker-input.js';

/** `inspector_evaluate`: looks at a worker's live state; V8 refuses whatever would change it, unless that is asked for. */
export function inspectorEvaluate({ workers, connections, book, limits }: Inspector): Tool {
  return defineTool({
    name: 'inspector_evaluate',
    description:
      "Evaluates a JavaScript expression in a worker's global scope and shows the value. Read only by default: V8 refuses an " +
      'expression that would change anything (assignments, console, timers, promises, most of Node). It sees globals, not ' +
      'the variables of modules; with a frame, those of a worker that stands still at a breakpoint. For several steps ' +
      'write (() => { …; return x })(). Attaching first is not needed.',
    input: z.strictObject({
      workerIndex,
      expression: z.string().min(1).max(limits.expressionCharacters).describe('A single expression.'),
      sideEffects: z
        .boolean()
        .optional()
        .describe('Lets it call and change anything, and awaits promises; false by default.'),
      frame: z
        .int()
        .min(0)
        .max(200)
        .optional()
        .describe('Of a worker that stands still: the frame of its stack, 0 for the innermost.'),
      timeoutMs: z
        .int()
        .min(1)
        .max(limits.maxEvaluateMs)
        .optional()
        .describe(`When to stop it; ${limits.evaluateMs} by default. The worker serves nothing meanwhile.`),
    }),
    effect: ({ sideEffects }) => (sideEffects === true ? 'disruptive' : 'read'),
    async execute(
      { expression, frame, sideEffects = false, timeoutMs = limits.evaluateMs, ...input },
      { signal },
    ) {
      const worker = findWorker(workers(), input.workerIndex);
      const frameId = frame === undefined ? undefined : frameOf(worker, frame);
      const evaluate = sideEffects ? evaluateWithEffects : evaluateReadOnly;
      const { evaluation, mask } = await connections.use(worker, async (connection) => ({
        evaluation: await evaluate(connection, expression, {
          timeoutMs,
          limits: limits.value,
          signal,
          frameId,
        }),
        mask: await readWorkerMask(connection),
      }));
      return answer(evaluation, worker, { mask, timeoutMs, sideEffects });
    },
  });

  function frameOf(worker: WorkerTarget, frame: number): string {
    const frames = book.debuggers.find(worker.threadId)?.hold.at?.event.callFrames;
    if (frames === undefined)
      throw new ConflictError(`${nameOf(worker)} does not stand still: leave out the frame`);
    const found = frames[frame];
    if (found === undefined) {
      throw new InvalidRequestError(
        `${nameOf(worker)} has no frame ${frame}: its frames are 0 to ${frames.length - 1}`,
      );
    }
    return found.callFrameId;
  }
}

function answer(
  evaluation: Evaluation,
  worker: WorkerTarget,
  { mask, timeoutMs, sideEffects }: { mask: Mask; timeoutMs: number; sideEffects: boolean },
): ToolOutput {
  switch (evaluation.kind) {
    case 'side_effect':
      throw new ToolDeniedError(
        `V8 refused the expression on ${nameOf(worker)}, because it would change something or may: nothing was changed. ` +
          'Ask for properties and values instead; with sideEffects it would run',
      );
    case 'syntax':
      throw new InvalidRequestError(
        `This is not one JavaScript expression: ${evaluation.message}. For several steps write (() => { …; return x })()`,
      );
    case 'timeout':
      throw new AgentError(
        'evaluate_timeout',
        `The expression took longer than ${timeoutMs} ms on ${nameOf(worker)} and was stopped; ` +
          `${sideEffects ? 'what it had done by then is done, and a promise it made goes on' : 'nothing was changed'}. Ask for less`,
      );
    default: {
      const { text, truncated } = renderEvaluation(evaluation);
      return { text: mask(text), truncated, data: { ...worker, kind: evaluation.kind } };
    }
  }
}
