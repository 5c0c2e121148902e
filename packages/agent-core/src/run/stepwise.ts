import type { ModelGateway, ModelReply, ModelRequest, Rounds } from '../contracts/index.js';
import { onAbort } from '../on-abort.js';

/** One model call, nothing more. It should stop when `signal` aborts; the run does not wait for it if it does not. */
export type Generate = (request: ModelRequest, signal: AbortSignal) => Promise<ModelReply>;

/** Turns a one-shot model call into a gateway: request, record, run the calls, repeat. The only loop we own. */
export function stepwise(generate: Generate, name = 'stepwise'): ModelGateway {
  return {
    name,
    async run(rounds: Rounds): Promise<void> {
      const { signal } = rounds;
      for (;;) {
        signal.throwIfAborted();
        const request = await rounds.request();
        const reply = await unlessAborted(generate(request, signal), signal);
        const calls = await rounds.record(reply);
        if (calls.length === 0) return;
        const settled = await Promise.allSettled(calls.map((call) => rounds.callTool(call)));
        signal.throwIfAborted();
        for (const result of settled) if (result.status === 'rejected') throw result.reason;
      }
    },
  };
}

/** Settles as `work` does, or rejects with the signal's reason as soon as it aborts: `work` may be deaf to it. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = (): void => reject(signal.reason);
    if (signal.aborted) leave();
    const stopListening = onAbort(signal, leave);
    // After an abort the outcome of the work changes nothing any more, and its failure is nobody's concern.
    work.then(
      (value) => {
        stopListening();
        resolve(value);
      },
      (error: unknown) => {
        stopListening();
        reject(error);
      },
    );
  });
}
