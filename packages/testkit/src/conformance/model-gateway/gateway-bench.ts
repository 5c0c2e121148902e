import type { ModelGateway, Rounds } from '@harperfast/agent-core/contracts';
import { expect } from 'vitest';
import type { ScriptedModel } from '../../scripted-model/scripted-model.js';
import type { ScriptStep, StepFunction } from '../../scripted-model/step.js';

/** What a check of a gateway works with. */
export interface GatewayBench {
  readonly gateway: ModelGateway;
  readonly model: ScriptedModel;
  readonly deadlineMs: number;
  script(next: StepFunction): void;
  close(): Promise<void>;
}

/** How a run ended; an `error` may be anything, `undefined` too. */
export type RunOutcome =
  | { readonly ended: 'resolved' }
  | { readonly ended: 'rejected'; readonly error: unknown };

/** Steps by position. The step past the last one fails the run, and so the check. */
export function inOrder(bench: GatewayBench, ...steps: readonly ScriptStep[]): void {
  let position = 0;
  bench.script((request, signal) => {
    const step = steps[position++];
    if (step === undefined)
      return expect.fail(`The model was asked ${position} times; the script has ${steps.length} steps`);
    return typeof step === 'function' ? step(request, signal) : step;
  });
}

/** Drives one run; fails the check when it hangs, and when it was rejected by a fault of the script. */
export function run(bench: GatewayBench, rounds: Rounds): Promise<RunOutcome> {
  const driven = drive(bench, rounds);
  // A check that fails before it awaits the run must not leave an unhandled rejection as well.
  driven.catch(() => undefined);
  return driven;
}

async function drive(bench: GatewayBench, rounds: Rounds): Promise<RunOutcome> {
  const outcome = await withinDeadline(
    bench.gateway.run(rounds).then(
      (): RunOutcome => ({ ended: 'resolved' }),
      (error: unknown): RunOutcome => ({ ended: 'rejected', error }),
    ),
    bench.deadlineMs,
    'the run',
  );
  bench.model.assertDone();
  return outcome;
}

/** Drives one run that is meant to end well. */
export async function runToEnd(bench: GatewayBench, rounds: Rounds): Promise<void> {
  const outcome = await run(bench, rounds);
  if (outcome.ended === 'rejected') throw outcome.error;
}

/** Drives one run that is meant to be rejected, and says with what. */
export async function runToRejection(bench: GatewayBench, rounds: Rounds): Promise<unknown> {
  const outcome = await run(bench, rounds);
  return outcome.ended === 'rejected' ? outcome.error : expect.fail('The run should reject; it resolved');
}

/** The promise, or a failed check when it is not settled in time. */
export async function withinDeadline<T>(promise: Promise<T>, ms: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} did not settle within ${ms} ms`)), ms).unref();
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
