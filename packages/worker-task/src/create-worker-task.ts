import type { TaskThread } from './task-thread.js';
import { startTaskThread } from './task-thread.js';
import { WorkerTaskError } from './worker-task-error.js';

export interface WorkerTaskOptions {
  /** The worker's code: `import source from './x-worker.ts?worker-source'`. */
  readonly source: string;
  /** Shown as the thread's name by debuggers. */
  readonly name: string;
  /** Old-generation heap of one thread in MiB; more ends it with reason `memory`. */
  readonly memoryMb: number;
  /** Most threads at once; further runs wait their turn. Default 1. */
  readonly threads?: number;
  /** How long an unused thread stays, in milliseconds. Default 10,000. */
  readonly idleMs?: number;
}

export interface RunOptions<Progress> {
  /** Ends the task at once, by ending its thread. */
  readonly signal: AbortSignal;
  /** Milliseconds from the call on, waiting for a free thread included. */
  readonly deadlineMs: number;
  readonly onProgress?: (progress: Progress) => void;
}

/** Work that runs off this thread. Input, output and progress are copied as `postMessage` does. */
export interface WorkerTask<Input, Output, Progress = never> {
  /** Rejects with the signal's reason or a `WorkerTaskError`. */
  run(input: Input, options: RunOptions<Progress>): Promise<Output>;
  /** Ends every thread and refuses what waits or comes later. */
  close(): Promise<void>;
}

/** Starts threads when they are needed and ends them when they idle. A task keeps the process alive, an idle thread does not. */
export function createWorkerTask<Input, Output, Progress = never>(
  options: WorkerTaskOptions,
): WorkerTask<Input, Output, Progress> {
  const { threads: most = 1, idleMs = 10_000, name } = options;
  const threads = new Set<TaskThread>();
  const idle: TaskThread[] = [];
  const waiting: ((thread: TaskThread | undefined) => void)[] = [];
  let closed = false;

  function start(): TaskThread {
    const thread = startTaskThread(options, () => {
      threads.delete(thread);
      const at = idle.indexOf(thread);
      if (at >= 0) idle.splice(at, 1);
      const next = waiting.shift();
      if (next) next(closed ? undefined : start());
    });
    threads.add(thread);
    return thread;
  }

  function acquire(signal: AbortSignal): Promise<TaskThread | undefined> {
    const free = idle.pop() ?? (threads.size < most ? start() : undefined);
    if (free) return Promise.resolve(free);
    return new Promise((resolve, reject) => {
      const take = (thread: TaskThread | undefined) => {
        signal.removeEventListener('abort', leave);
        resolve(thread);
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(take), 1);
        reject(signal.reason);
      };
      waiting.push(take);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  function release(thread: TaskThread): void {
    if (!threads.has(thread)) return;
    const next = waiting.shift();
    if (next) {
      next(thread);
      return;
    }
    idle.push(thread);
    thread.endAfter(idleMs);
  }

  return {
    async run(input, { signal, deadlineMs, onProgress }) {
      const deadline = new AbortController();
      const timer = setTimeout(() => {
        deadline.abort(new WorkerTaskError('deadline', `${name} did not finish within ${deadlineMs} ms.`));
      }, deadlineMs);
      timer.unref();
      const either = AbortSignal.any([signal, deadline.signal]);
      try {
        either.throwIfAborted();
        const thread = closed ? undefined : await acquire(either);
        if (!thread) throw new WorkerTaskError('ended', `${name} is closed.`);
        try {
          // What serveTask of the same source answers; both sides are typed by the caller.
          return (await thread.run(
            input,
            either,
            onProgress as ((value: unknown) => void) | undefined,
          )) as Output;
        } finally {
          release(thread);
        }
      } finally {
        clearTimeout(timer);
      }
    },
    async close() {
      closed = true;
      for (const leave of waiting.splice(0)) leave(undefined);
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}
