import { createWorkerTask } from '@harperfast/agent-worker-task';
import source from './names-worker.ts?worker-source';
import type { NamesQuestion, VisibleNames } from './visible-names.js';

const MEMORY_MB = 256;
const DEADLINE_MS = 2000;

/** Finds visible names in a thread of its own. */
export interface NameFinder {
  /** As `visibleNames`; `undefined` too where it takes too long or too much memory. Never rejects. */
  find(question: NamesQuestion): Promise<VisibleNames | undefined>;
  close(): Promise<void>;
}

export function createNameFinder(): NameFinder {
  const task = createWorkerTask<NamesQuestion, VisibleNames | undefined>({
    source,
    name: 'find-visible-names',
    memoryMb: MEMORY_MB,
  });
  const { signal } = new AbortController();
  return {
    find: (question) => task.run(question, { signal, deadlineMs: DEADLINE_MS }).catch(() => undefined),
    close: () => task.close(),
  };
}
