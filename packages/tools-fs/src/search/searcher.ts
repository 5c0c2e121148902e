import { AgentError, InvalidRequestError } from '@harperfast/agent-core/contracts';
import { type WorkerTask, WorkerTaskError, createWorkerTask } from '@harperfast/agent-worker-task';
import type { LineSearch } from '../text/find-line.js';
import { type MergedGrep, mergeShares } from './merge-shares.js';
import type {
  FindAnswer,
  FindRequest,
  GrepRequest,
  SearchAnswer,
  LineRequest,
  SearchRequest,
  Secret,
} from './requests.js';
import source from './search-worker.ts?worker-source';

/** Searches in threads of its own, with a deadline and a memory cap; the calling thread only waits. */
export interface Searcher {
  find(request: Omit<FindRequest, 'kind' | 'secret'>, signal: AbortSignal): Promise<FindAnswer>;
  /** All shares at once; the answer is the same however many there are. */
  grep(request: Omit<GrepRequest, 'kind' | 'secret' | 'share'>, signal: AbortSignal): Promise<MergedGrep>;
  line(request: Omit<LineRequest, 'kind'>, signal: AbortSignal): Promise<LineSearch>;
  close(): Promise<void>;
}

const THREADS = 2;
const MEMORY_MB = 256;
/** A search ends by itself when its time is over; one that cannot is ended this much later. */
const GRACE_MS = 500;

/** `secret` is asked at each search. Threads are started by the first search and end when there is none for a while. */
export function createSearcher(secret: () => Secret): Searcher {
  const task: WorkerTask<SearchRequest, SearchAnswer> = createWorkerTask({
    source,
    name: 'file search',
    memoryMb: MEMORY_MB,
    threads: THREADS,
  });

  async function run<Kind extends SearchRequest['kind']>(
    request: Extract<SearchRequest, { kind: Kind }>,
    milliseconds: number,
    signal: AbortSignal,
  ): Promise<Extract<SearchAnswer, { kind: Kind }>> {
    try {
      const answer = await task.run(request, { signal, deadlineMs: milliseconds + GRACE_MS });
      // The worker answers in kind.
      return answer as Extract<SearchAnswer, { kind: Kind }>;
    } catch (error) {
      throw error instanceof WorkerTaskError ? describe(error, milliseconds) : error;
    }
  }

  return {
    find: (request, signal) =>
      run<'find'>({ ...request, kind: 'find', secret: secret() }, request.area.milliseconds, signal),
    async grep(request, signal) {
      const of = request.area.only === undefined ? THREADS : 1;
      const failed = new AbortController();
      const either = AbortSignal.any([signal, failed.signal]);
      const shares = Array.from({ length: of }, (_, index) =>
        run<'grep'>(
          { ...request, kind: 'grep', secret: secret(), share: { index, of } },
          request.area.milliseconds,
          either,
        ),
      );
      try {
        return mergeShares(await Promise.all(shares), request);
      } catch (error) {
        failed.abort(error);
        await Promise.allSettled(shares);
        throw error;
      }
    },
    async line(request, signal) {
      const { found } = await run<'line'>({ ...request, kind: 'line' }, request.milliseconds, signal);
      return found;
    },
    close: () => task.close(),
  };
}

function describe(error: WorkerTaskError, milliseconds: number): Error {
  switch (error.reason) {
    case 'failed':
      return new InvalidRequestError(`The search failed: ${error.message}`);
    case 'deadline':
      return new AgentError(
        'search_timeout',
        `The search was ended after ${milliseconds} ms. Search a folder further down, or with narrower globs.`,
      );
    case 'memory':
      return new AgentError(
        'search_memory',
        `The search needed more than ${MEMORY_MB} MiB and was ended. Search a folder further down.`,
      );
    case 'ended':
      return new AgentError('search_ended', `The search ended early: ${error.message}`);
  }
}
