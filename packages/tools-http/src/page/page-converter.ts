import { createWorkerTask } from '@harperfast/agent-worker-task';
import { type EncodedPage, convertEncodedPage } from './convert-encoded-page.js';
import type { ConvertedPage } from './page-to-markdown.js';
import source from './page-worker.ts?worker-source';

/** Converts pages without keeping the calling thread from its other work. */
export interface PageConverter {
  /** Rejects with the signal's reason, and when the page takes longer than `deadlineMs` or too much memory. */
  convert(
    page: EncodedPage,
    options: { readonly signal: AbortSignal; readonly deadlineMs: number },
  ): Promise<ConvertedPage>;
  close(): Promise<void>;
}

/** Up to this many bytes a page takes less time than a worker takes to hear of it. */
const INLINE_BYTES = 16 * 1024;

/** Small pages are converted at once, others in a worker thread that starts with the first of them. */
export function createPageConverter(): PageConverter {
  const task = createWorkerTask<EncodedPage, ConvertedPage>({
    source,
    name: 'agent-page-to-markdown',
    memoryMb: 128,
  });
  return {
    async convert(page, options) {
      options.signal.throwIfAborted();
      return page.bytes.byteLength <= INLINE_BYTES ? convertEncodedPage(page) : task.run(page, options);
    },
    close: () => task.close(),
  };
}
