import type { CdpConnection } from '../cdp/cdp-connection.js';

/** Samples of a CPU profile are so far apart, in microseconds. */
const INTERVAL_US = 1000;
const STOP_MS = 30_000;

/**
 * Profiles a thread for a while. Resolves with what `Profiler.stop` answered: as text where the transport has it so.
 * On every way out the profiler is off again.
 */
export async function recordProfile(
  connection: CdpConnection,
  durationMs: number,
  signal: AbortSignal,
): Promise<{ readonly text: string } | { readonly result: unknown }> {
  await connection.send('Profiler.enable');
  try {
    await connection.send('Profiler.setSamplingInterval', { interval: INTERVAL_US });
    await connection.send('Profiler.start');
    await elapsed(connection, durationMs, signal);
    const answer = await connection.send('Profiler.stop', undefined, {
      timeoutMs: STOP_MS,
      unparsed: true,
      signal,
    });
    return typeof answer === 'string' ? { text: answer } : { result: answer };
  } finally {
    // It also ends a profile that is under way. Where it fails the thread is gone.
    await connection.send('Profiler.disable', undefined, { timeoutMs: STOP_MS }).catch(() => undefined);
  }
}

/** Resolves after the time; rejects when the signal aborts, and when the thread is gone. */
function elapsed(connection: CdpConnection, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      forget();
      settle();
    };
    const abort = () => end(() => reject(signal.reason));
    const timer = setTimeout(() => end(resolve), ms).unref();
    // What is sent next says that it is gone.
    const forget = connection.onClose(() => setImmediate(() => end(resolve)));
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) abort();
  });
}
