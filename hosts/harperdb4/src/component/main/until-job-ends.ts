import { setTimeout as delay } from 'node:timers/promises';
import { fieldOf } from '../field-of.js';

const EVERY_MS = 100;
const LONGEST_MS = 60_000;

/** Resolves when a job of HarperDB is complete; rejects when it failed, or is still at work after a minute. */
export async function untilJobEnds(
  id: string,
  run: (body: { readonly operation: string; readonly id: string }) => Promise<unknown>,
): Promise<void> {
  const end = Date.now() + LONGEST_MS;
  for (;;) {
    const answer = await run({ operation: 'get_job', id });
    const job: unknown = Array.isArray(answer) ? answer[0] : answer;
    const status = fieldOf(job, 'status');
    if (status === 'COMPLETE') return;
    if (status === 'ERROR') throw new Error(`The job ${id} failed: ${String(fieldOf(job, 'message'))}`);
    if (Date.now() > end) {
      throw new Error(
        `The job ${id} is ${String(status)} after ${LONGEST_MS} ms; ask get_job what became of it`,
      );
    }
    await delay(EVERY_MS, undefined, { ref: false });
  }
}
