import { createWorkerTask } from '@harperfast/agent-worker-task';
import { type EditJob, type EditResult, editText } from './edit-text.js';
import source from './edit-worker.ts?worker-source';

/** Edits texts: small ones at once, large ones in a thread. */
export interface Editor {
  edit(job: Omit<EditJob, 'bounds'>, signal: AbortSignal): Promise<EditResult>;
  close(): Promise<void>;
}

/** More bytes than this go to the thread. */
const SMALL_TEXT = 256 * 1024;
/** The same for what all edits together go through. */
const SMALL_WALK = 1024 * 1024;
/** The same for the most steps a search for a text can take, when both were made to be slow. */
const SMALL_SEARCH = 32 * 1024 * 1024;
const DEADLINE_MS = 20_000;

/** An editor; the thread starts when it is first needed. */
export function createEditor(): Editor {
  const task = createWorkerTask<EditJob, EditResult>({ source, name: 'edit-file', memoryMb: 256 });
  return {
    async edit(job, signal) {
      if (isSmall(job)) {
        const result = editText({ ...job, bounds: { milliseconds: 10, changedLines: 400 } });
        // Small, but with much to compare: the thread takes its time over it.
        if (!('bytes' in result) || result.diff !== undefined) return result;
      }
      const bounds = { milliseconds: 1000, changedLines: 5000 };
      return task.run({ ...job, bounds }, { signal, deadlineMs: DEADLINE_MS });
    },
    close: () => task.close(),
  };
}

function isSmall({ bytes, edits }: Omit<EditJob, 'bounds'>): boolean {
  let size = bytes.length;
  let walked = 0;
  for (const { oldText, newText, replaceAll } of edits) {
    walked += size;
    size += oldText.length + newText.length;
    // As if the text were made of what is replaced.
    if (replaceAll) size *= Math.max(1, newText.length / oldText.length);
  }
  const longest = Math.max(...edits.map(({ oldText }) => oldText.length));
  return size <= SMALL_TEXT && walked <= SMALL_WALK && walked * longest <= SMALL_SEARCH;
}
