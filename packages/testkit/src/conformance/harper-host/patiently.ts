import { setTimeout as delay } from 'node:timers/promises';

const EVERY_MS = 50;
const LONGEST_MS = 30_000;

/** Sends a request again while the connection is refused: nobody listens while some hosts replace their workers. */
export async function patiently<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    try {
      return await send();
    } catch (error) {
      if (codeOf(error) !== 'ECONNREFUSED' || Date.now() > end) throw error;
      await delay(EVERY_MS);
    }
  }
}

/** Of an error of node:http, or of the one that `fetch` gives as the cause. */
function codeOf(error: unknown): unknown {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : codeOf(error.cause);
}
