import { AgentError, ToolDeniedError } from '../contracts/index.js';
import type { Effect, Outcome, Tool, ToolContext } from '../contracts/index.js';
import type { RunDeps } from './deps.js';
import { limitText } from './limit-text.js';

/** How long a started call with effects may still report its own result after a cancel or a timeout. */
const GRACE_MS = 1_000;

/** What becomes of one execution, ready for the journal. */
export interface ToolResult {
  readonly outcome: Outcome;
  readonly text: string;
  readonly truncated: boolean;
  readonly bytes: number;
  readonly durationMs: number;
}

/**
 * Runs a tool with a deadline. Never rejects: whatever the tool does becomes a result. After a cancel or the deadline a
 * read is given up at once; a call with effects has a second to say what it did, else its outcome is unknown.
 */
export async function executeTool(
  job: {
    readonly tool: Tool;
    readonly input: unknown;
    readonly effect: Effect;
    readonly context: Omit<ToolContext, 'signal' | 'logger' | 'caller'>;
    readonly signal: AbortSignal;
  },
  deps: RunDeps,
): Promise<ToolResult> {
  const { tool, effect, context } = job;
  const { clock, logger, redactor } = deps;
  const settings = deps.settings();
  const startedAt = clock.now();
  const controller = new AbortController();
  const interruption = watchForInterruption(job.signal, settings.toolTimeoutMs, deps);

  const finish = (outcome: Outcome, text: string, saidTruncated = false): ToolResult => {
    const limited = limitText(redactor.redact(text), settings.maxResultBytes);
    return {
      outcome,
      text: limited.text,
      truncated: limited.truncated || saidTruncated,
      bytes: limited.bytes,
      durationMs: Math.max(0, clock.now() - startedAt),
    };
  };

  // An async wrapper, so that a tool which throws at once is no different from one that rejects.
  const work = (async () =>
    tool.execute(job.input, { ...context, caller: deps.caller, signal: controller.signal, logger }))().then(
    (output) => finish('ok', output.text, output.truncated ?? false),
    (error: unknown) => finish(ToolDeniedError.isInstance(error) && error.code === 'tool_denied' ? 'denied' : 'error', describeFailure(error)),
  );

  try {
    const first = await Promise.race([work, interruption.happened]);
    if (typeof first !== 'string') return first;
    controller.abort(new AgentError('tool_interrupted', `${tool.name} was interrupted: ${first}`));
    if (effect !== 'read') {
      const late = await Promise.race([work, afterTimer(deps, GRACE_MS)]);
      if (late !== undefined) return late;
    }
    void work.then((result) => logger.warn(`${tool.name} (${context.callId}) settled late, as ${result.outcome}`));
    return finish(outcomeOfInterruption(first, effect), textOfInterruption(tool.name, first, effect, settings.toolTimeoutMs));
  } finally {
    interruption.stop();
  }
}

type Interruption = 'cancelled' | 'timeout';

function watchForInterruption(signal: AbortSignal, timeoutMs: number, deps: RunDeps) {
  let stop = (): void => undefined;
  const happened = new Promise<Interruption>((resolve) => {
    const onAbort = (): void => resolve('cancelled');
    const stopTimer = deps.clock.setTimer(timeoutMs, () => resolve('timeout'));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    stop = () => {
      stopTimer();
      signal.removeEventListener('abort', onAbort);
    };
  });
  return { happened, stop: () => stop() };
}

function afterTimer(deps: RunDeps, ms: number): Promise<undefined> {
  return new Promise((resolve) => {
    deps.clock.setTimer(ms, () => resolve(undefined));
  });
}

function outcomeOfInterruption(cause: Interruption, effect: Effect): Outcome {
  if (effect !== 'read') return 'unknown';
  return cause === 'timeout' ? 'error' : 'cancelled';
}

function textOfInterruption(name: string, cause: Interruption, effect: Effect, timeoutMs: number): string {
  const what = cause === 'timeout' ? `${name} took longer than ${timeoutMs} ms and was given up` : `The run was cancelled while ${name} ran`;
  return effect === 'read' ? `${what}.` : `${what}. It may or may not have taken effect: check before you call it again.`;
}

/** What the model reads of a failure; tools may throw anything. */
function describeFailure(error: unknown): string {
  if (error instanceof Error) return error.message === '' ? `The tool failed (${error.name}).` : error.message;
  return error === undefined ? 'The tool failed without saying why.' : `The tool failed: ${String(error)}`;
}
