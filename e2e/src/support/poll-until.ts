import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 20;

/** Reads until the value is as wanted and resolves with it; rejects after `timeoutMs` with the last one. */
export async function pollUntil<Value>(
  read: () => Promise<Value>,
  wanted: (value: Value) => boolean,
  timeoutMs = 10_000,
): Promise<Value> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const value = await read();
    if (wanted(value)) return value;
    if (Date.now() > end)
      throw new Error(`Still not there after ${timeoutMs} ms: ${JSON.stringify(value)?.slice(0, 2000)}`);
    await delay(EVERY_MS);
  }
}
