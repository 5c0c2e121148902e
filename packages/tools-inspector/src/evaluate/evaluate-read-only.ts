import { z } from 'zod';
import { AgentError } from '@harperfast/agent-core/contracts';
import type { CdpConnection } from '../cdp/cdp-connection.js';
import { CommandFailedError, ConnectionClosedError } from '../cdp/cdp-errors.js';
import { DESCRIBE_VALUE_SOURCE } from '../render/describe-value-source.js';
import { valueTree } from '../render/value-tree.js';
import type { ValueLimits, ValueTree } from '../render/value-tree.js';
import type { Evaluation } from './evaluation.js';

/** V8 ends an evaluation on time; only a thread that is blocked outside of JavaScript answers later than this. */
const GRACE_MS = 2000;
const SIDE_EFFECT = 'EvalError: Possible side-effect in debug-evaluate';
const STACK_CHARACTERS = 4000;
/** Of the error in a list; a getter of the application is not called, V8's own is. */
const READ_STACK = `function() {
  const { value, get } = Object.getOwnPropertyDescriptor(this[0], 'stack') ?? {};
  const isNative = get !== undefined && Function.prototype.toString.call(get).includes('[native code]');
  const stack = isNative ? this[0].stack : value;
  return typeof stack === 'string' ? stack.slice(0, ${STACK_CHARACTERS}) : undefined;
}`;
/** What an answer refers to is kept alive in the thread under this name until it is released. */
const OBJECT_GROUP = 'agent-evaluate';

const remoteObject = z.object({
  objectId: z.string().optional(),
  className: z.string().optional(),
  description: z.string().optional(),
  value: z.unknown().optional(),
  preview: z
    .object({ properties: z.array(z.object({ value: z.string().optional(), type: z.string() })) })
    .optional(),
});
type RemoteObject = z.infer<typeof remoteObject>;
const reply = z.object({
  result: remoteObject,
  exceptionDetails: z.object({ text: z.string(), exception: remoteObject.optional() }).optional(),
});
const described = z.object({ threw: z.boolean(), tree: valueTree });

export interface EvaluateOptions {
  readonly timeoutMs: number;
  readonly limits: ValueLimits;
  readonly signal: AbortSignal;
  /** Evaluates in this frame of a thread that stands still instead of the global scope. */
  readonly frameId?: string | undefined;
}

/**
 * Evaluates an expression in the thread's global scope or a frame, with V8 refusing whatever would change anything, and describes
 * the value within the limits. Takes at most a few times `timeoutMs` of the thread's time.
 */
export async function evaluateReadOnly(
  connection: CdpConnection,
  expression: string,
  { timeoutMs, limits, signal, frameId }: EvaluateOptions,
): Promise<Evaluation> {
  // A line of its own: the expression may end in a comment.
  const wrapped = `${DESCRIBE_VALUE_SOURCE}(() => (${expression}\n), ${JSON.stringify(limits)})`;
  let began = 0;
  const evaluate = async (source: string, how: { returnByValue: boolean; generatePreview: boolean }) => {
    began = performance.now();
    const params = {
      expression: source,
      ...how,
      throwOnSideEffect: true,
      silent: true,
      timeout: timeoutMs,
      objectGroup: OBJECT_GROUP,
    };
    const [method, where] =
      frameId === undefined
        ? ['Runtime.evaluate', { disableBreaks: true }]
        : ['Debugger.evaluateOnCallFrame', { callFrameId: frameId }];
    const answer = await connection.send(
      method,
      { ...params, ...where },
      { timeoutMs: timeoutMs + GRACE_MS, signal },
    );
    return reply.parse(answer);
  };

  try {
    const { result, exceptionDetails } = await evaluate(wrapped, {
      returnByValue: true,
      generatePreview: false,
    });
    if (exceptionDetails === undefined) {
      const { threw, tree } = described.parse(result.value);
      const stack = isError(tree) ? await stackOf(connection, expression, evaluate) : undefined;
      return { kind: 'value', threw, tree, ...(stack === undefined ? {} : { stack }) };
    }
    const { exception } = exceptionDetails;
    // What the expression throws is caught and described. What comes here as no error at all is a termination.
    if (exception?.className === undefined) return endedEarly(began, timeoutMs);
    if (exception.className === 'SyntaxError') return { kind: 'syntax', message: firstLine(exception) };
    if (!isSideEffect(exception)) {
      throw new AgentError('inspector_evaluate', `The value could not be described: ${firstLine(exception)}`);
    }
    // It was refused: the expression itself, or looking into its value? In a list, a value is not looked into.
    const listed = await evaluate(inList(expression), { returnByValue: false, generatePreview: true });
    if (listed.exceptionDetails !== undefined) return { kind: 'side_effect' };
    const [only] = listed.result.preview?.properties ?? [];
    return { kind: 'preview', text: only?.value ?? only?.type ?? 'unknown' };
  } catch (error) {
    if (!(error instanceof CommandFailedError && error.message.includes('Execution was terminated')))
      throw error;
    return endedEarly(began, timeoutMs);
  } finally {
    // Nobody waits for this; where it fails the thread is gone.
    connection.send('Runtime.releaseObjectGroup', { objectGroup: OBJECT_GROUP }).catch(() => {});
  }
}

/** V8 ended the evaluation: for its timeout, or, before that is over, because the thread is being terminated. */
function endedEarly(began: number, timeoutMs: number): Evaluation {
  if (performance.now() - began >= timeoutMs) return { kind: 'timeout' };
  throw new ConnectionClosedError('The worker thread ended during the evaluation');
}

/** In a list of its own a value is not looked into, and V8's text of it is short; so is that of what is thrown. */
function inList(expression: string): string {
  return `(() => { try { return [(${expression}\n)]; } catch ($agentError) { return [$agentError]; } })()`;
}

/** An error's stack. To read it counts as a side effect, so it is read apart, and cut where it is. */
async function stackOf(
  connection: CdpConnection,
  expression: string,
  evaluate: (
    source: string,
    how: { returnByValue: boolean; generatePreview: boolean },
  ) => Promise<z.infer<typeof reply>>,
): Promise<string | undefined> {
  const { result, exceptionDetails } = await evaluate(inList(expression), {
    returnByValue: false,
    generatePreview: false,
  });
  if (exceptionDetails !== undefined || result.objectId === undefined) return undefined;
  const answer = await connection.send('Runtime.callFunctionOn', {
    objectId: result.objectId,
    functionDeclaration: READ_STACK,
    returnByValue: true,
    silent: true,
  });
  const stack = reply.parse(answer).result.value;
  return typeof stack === 'string' ? stack : undefined;
}

function isError(tree: ValueTree): boolean {
  return tree.kind === 'node' && tree.shape === 'error';
}

function isSideEffect(exception: RemoteObject | undefined): boolean {
  return exception?.className === 'EvalError' && exception.description?.startsWith(SIDE_EFFECT) === true;
}

function firstLine(exception: RemoteObject | undefined): string {
  return exception?.description?.split('\n', 1)[0] ?? 'unknown error';
}
