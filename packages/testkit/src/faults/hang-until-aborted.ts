import type { Fault } from './faulty.js';

/**
 * The nth call (from 1) does nothing until its signal aborts, then rejects with the reason. The signal is an argument
 * itself or the `signal` of one, as in `ToolContext` and `Rounds`; a call without any never settles.
 */
export function hangUntilAborted(nth = 1): Fault {
  return (call) => {
    if (call.nth !== nth) return call.proceed();
    return new Promise((_resolve, reject) => {
      const signal = call.args.map(signalIn).find((found) => found !== undefined);
      if (signal?.aborted) reject(signal.reason);
      else signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
}

function signalIn(argument: unknown): AbortSignal | undefined {
  if (argument instanceof AbortSignal) return argument;
  if (typeof argument !== 'object' || argument === null) return undefined;
  const signal: unknown = Reflect.get(argument, 'signal');
  return signal instanceof AbortSignal ? signal : undefined;
}
