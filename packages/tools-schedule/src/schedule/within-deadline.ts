import { AgentError } from '@harperfast/agent-core/contracts';
import type { Clock } from '@harperfast/agent-core/contracts';

/**
 * Runs `work` and settles with it, at the latest when `ms` have passed or `signal` aborts: then `work`'s own signal is
 * aborted and the promise rejects, even if `work` takes no notice.
 */
export function withinDeadline(
  work: (signal: AbortSignal) => Promise<void>,
  { clock, ms, signal }: { readonly clock: Clock; readonly ms: number; readonly signal: AbortSignal },
): Promise<void> {
  const controller = new AbortController();
  return new Promise<void>((resolve, reject) => {
    const settle = (finish: () => void) => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
      finish();
    };
    const stop = (reason: unknown) => {
      controller.abort(reason);
      settle(() => reject(reason));
    };
    const onAbort = () => stop(signal.reason);
    const cancelTimer = clock.setTimer(ms, () =>
      stop(new AgentError('deadline', `It was not done within ${ms} ms`)),
    );
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) return onAbort();
    // Called in a promise, so that work which throws at once rejects like any other.
    void Promise.resolve(controller.signal)
      .then(work)
      .then(
        () => settle(resolve),
        (error: unknown) => settle(() => reject(error)),
      );
  });
}
