import { inspect } from 'node:util';
import { AgentError } from '../contracts/index.js';
import type { Clock, Effect, Outcome, Tool, ToolOutput } from '../contracts/index.js';
import type { RunDeps } from './deps.js';
import { TOOL_NAME } from '../session/tool-name.js';
import { onAbort } from '../on-abort.js';
import { waitFor } from '../wait.js';

/** How long a started call with effects may still report its own result after a cancel or a timeout. */
const GRACE_MS = 1_000;

/** One execution, and what stands around it. */
export interface ToolJob {
  readonly tool: Tool;
  readonly input: unknown;
  readonly effect: Effect;
  readonly sessionId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
}

/** What becomes of it: the text as the tool gave it, neither redacted nor cut. */
export interface Execution {
  readonly outcome: Outcome;
  readonly text: string;
  readonly truncated: boolean;
  readonly durationMs: number;
  readonly offers?: readonly string[];
}

/**
 * Runs a tool with a deadline. Never rejects: whatever the tool does becomes a result. After a cancel or the deadline a
 * read is given up at once; a call with effects has a second to say what it did, else its outcome is unknown.
 */
export async function executeTool(job: ToolJob, deps: RunDeps): Promise<Execution> {
  const { clock, logger } = deps;
  const { toolTimeoutMs } = deps.settings();
  const startedAt = clock.now();
  const interrupt = createInterrupt();
  const result = (outcome: Outcome, text: string): Execution => ({
    outcome,
    text,
    truncated: false,
    durationMs: Math.max(0, clock.now() - startedAt),
  });

  const work = startWork(job, interrupt, deps).then(
    ({ text, truncated = false, offers }) => ({
      ...result('ok', text),
      truncated,
      ...(offers === undefined ? {} : { offers: usableNames(offers) }),
    }),
    (error: unknown) => result(isDenial(error) ? 'denied' : 'error', describeFailure(error)),
  );
  const watch = watchForInterruption(job.signal, toolTimeoutMs, clock);

  const first = await Promise.race([work, watch.interrupted]);
  watch.stop();
  if (typeof first !== 'string') return first;

  interrupt.abort(new AgentError('tool_interrupted', `${job.tool.name} was interrupted: ${first}`));
  if (job.effect !== 'read') {
    const late = await Promise.race([work, waitFor(clock, GRACE_MS)]);
    if (late !== undefined) return late;
  }
  void work.then(({ outcome }) =>
    logger.warn(`${job.tool.name} (${job.callId}) settled late, as ${outcome}`),
  );
  return result(outcomeOf(first, job.effect), describeInterruption(job, first, toolTimeoutMs));
}

/** Asynchronous, so that a tool which throws at once is no different from one that rejects. */
async function startWork(job: ToolJob, interrupt: Interrupt, deps: RunDeps): Promise<ToolOutput> {
  const { sessionId, callId } = job;
  const { caller, logger } = deps;
  const output: ToolOutput | undefined = await job.tool.execute(job.input, {
    sessionId,
    callId,
    caller,
    get signal() {
      return interrupt.signal;
    },
    logger,
  });
  if (typeof output?.text !== 'string') throw new Error(`${job.tool.name} returned no text.`);
  return output;
}

/** What a tool offers is journaled, so only what can name a tool. */
function usableNames(offers: unknown): readonly string[] {
  if (!Array.isArray(offers)) return [];
  return offers.filter((name: unknown) => typeof name === 'string' && TOOL_NAME.test(name));
}

interface Interrupt {
  readonly signal: AbortSignal;
  abort(reason: Error): void;
}

/** An abort controller made when somebody asks for its signal: it costs more than a small tool, and few look at it. */
function createInterrupt(): Interrupt {
  let controller: AbortController | undefined;
  const made = () => (controller ??= new AbortController());
  return {
    get signal() {
      return made().signal;
    },
    abort(reason) {
      made().abort(reason);
    },
  };
}

type Interruption = 'cancelled' | 'timeout';

/** What comes first, the cancel or the deadline. With callbacks: an abort signal made for each call costs as much as a turn. */
function watchForInterruption(
  cancelled: AbortSignal,
  timeoutMs: number,
  clock: Clock,
): { readonly interrupted: Promise<Interruption>; readonly stop: () => void } {
  let stop = (): void => undefined;
  const interrupted = new Promise<Interruption>((resolve) => {
    if (cancelled.aborted) return resolve('cancelled');
    const stopTimer = clock.setTimer(timeoutMs, () => resolve('timeout'));
    const stopListening = onAbort(cancelled, () => resolve('cancelled'));
    stop = () => {
      stopTimer();
      stopListening();
    };
  });
  return { interrupted, stop };
}

function outcomeOf(cause: Interruption, effect: Effect): Outcome {
  if (effect !== 'read') return 'unknown';
  return cause === 'timeout' ? 'error' : 'cancelled';
}

function describeInterruption({ tool, effect }: ToolJob, cause: Interruption, timeoutMs: number): string {
  const what =
    cause === 'timeout'
      ? `${tool.name} took longer than ${timeoutMs} ms and was given up`
      : `The run was cancelled while ${tool.name} ran`;
  return effect === 'read'
    ? `${what}.`
    : `${what}. It may or may not have taken effect: check before you call it again.`;
}

function isDenial(error: unknown): boolean {
  return AgentError.isInstance(error) && error.code === 'tool_denied';
}

/** What the model reads of a failure; tools may throw anything. */
function describeFailure(error: unknown): string {
  if (error instanceof Error)
    return error.message === '' ? `The tool failed (${error.name}).` : error.message;
  if (error === undefined || error === null) return 'The tool failed without saying why.';
  return `The tool failed: ${typeof error === 'string' ? error : inspect(error, { depth: 2, breakLength: Infinity })}`;
}
