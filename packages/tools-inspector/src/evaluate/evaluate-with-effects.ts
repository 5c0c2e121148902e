import { z } from 'zod';
import { AgentError } from '@harperfast/agent-core/contracts';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { CommandFailedError, CommandTimeoutError } from '../cdp/cdp-errors.js';
import { DESCRIBE_VALUE_SOURCE } from '../render/describe-value-source.js';
import { valueTree } from '../render/value-tree.js';
import type { EvaluateOptions } from './evaluate-read-only.js';
import type { Evaluation } from './evaluation.js';

const GRACE_MS = 500;
const STACK_CHARACTERS = 4000;

const reply = z.object({
  result: z.object({ value: z.unknown().optional() }),
  exceptionDetails: z
    .object({ exception: z.object({ className: z.string(), description: z.string() }).partial().optional() })
    .optional(),
});
const described = z.object({ threw: z.boolean(), tree: valueTree, stack: z.string().optional() });

/**
 * Evaluates an expression that may do anything, and awaits it where it is a promise. V8 stops what runs for longer
 * than `timeoutMs`; a promise that has not settled by then is no longer waited for, but what it does goes on.
 */
export async function evaluateWithEffects(
  connection: CdpConnection,
  expression: string,
  { timeoutMs, limits, signal, frameId }: EvaluateOptions,
): Promise<Evaluation> {
  const began = performance.now();
  const describe = (run: string) => `${DESCRIBE_VALUE_SOURCE}(${run}, ${JSON.stringify(limits)})`;
  const params = { returnByValue: true, silent: true, timeout: timeoutMs };
  try {
    const answer = await (frameId === undefined
      ? connection.send(
          'Runtime.evaluate',
          { ...params, expression: awaiting(expression, describe), awaitPromise: true, disableBreaks: true },
          { timeoutMs: timeoutMs + GRACE_MS, signal },
        )
      : connection.send(
          'Debugger.evaluateOnCallFrame',
          // A thread that stands still settles no promise.
          { ...params, expression: describe(`() => (${expression}\n)`), callFrameId: frameId },
          { timeoutMs: timeoutMs + GRACE_MS, signal },
        ));
    const { result, exceptionDetails } = reply.parse(answer);
    if (exceptionDetails !== undefined) {
      const { className, description } = exceptionDetails.exception ?? {};
      if (className === undefined) return { kind: 'timeout' };
      const message = description?.split('\n', 1)[0] ?? className;
      if (className === 'SyntaxError') return { kind: 'syntax', message };
      throw new AgentError('inspector_evaluate', `The value could not be described: ${message}`);
    }
    const { threw, tree, stack } = described.parse(result.value);
    return { kind: 'value', threw, tree, ...(stack === undefined ? {} : { stack }) };
  } catch (error) {
    // Where a promise is awaited, Node 24 calls it an internal error.
    const stopped =
      error instanceof CommandFailedError && /Execution was terminated|Internal error/.test(error.message);
    if (stopped && performance.now() - began >= timeoutMs) return { kind: 'timeout' };
    if (error instanceof CommandTimeoutError) return { kind: 'timeout' };
    throw error;
  }
}

/** Settles in the thread whatever the expression comes to, and describes that there. */
function awaiting(expression: string, describe: (run: string) => string): string {
  return `(async () => {
    const outcome = await (async () => (${expression}
    ))().then((value) => ({ run: () => value, error: value }), (error) => ({ run: () => { throw error; }, error }));
    const described = ${describe('outcome.run')};
    const stack = described.tree.shape === 'error' ? String(outcome.error.stack).slice(0, ${STACK_CHARACTERS}) : undefined;
    return { threw: described.threw, tree: described.tree, stack };
  })()`;
}
