import { Worker } from 'node:worker_threads';
import type { FromWorker } from './messages.js';
import { WorkerTaskError } from './worker-task-error.js';

/** One thread that does one task at a time. */
export interface TaskThread {
  /** Rejects with the signal's reason after ending the thread, or with a `WorkerTaskError`. */
  run(input: unknown, signal: AbortSignal, onProgress?: (value: unknown) => void): Promise<unknown>;
  /** Ends the thread unless it is given a task before. */
  endAfter(ms: number): void;
  end(): Promise<void>;
}

interface Task {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly onProgress: ((value: unknown) => void) | undefined;
}

/** Starts it; `onEnd` is called once, as soon as the thread takes no task any more. */
export function startTaskThread(
  { source, name, memoryMb }: { readonly source: string; readonly name: string; readonly memoryMb: number },
  onEnd: () => void,
): TaskThread {
  const worker = new Worker(source, {
    eval: true,
    name,
    // The host's flags and environment are not for this code.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  let task: Task | undefined;
  let ended: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function settle(): Task | undefined {
    const settled = task;
    task = undefined;
    worker.unref();
    return settled;
  }

  function end(): Promise<void> {
    clearTimeout(timer);
    if (!ended) {
      ended = worker.terminate().then(() => undefined);
      onEnd();
    }
    return ended;
  }

  worker.on('message', (message: FromWorker) => {
    if ('progress' in message) task?.onProgress?.(message.progress);
    else if ('output' in message) settle()?.resolve(message.output);
    else settle()?.reject(new WorkerTaskError('failed', message.failure));
  });
  worker.on('error', (error: Error & { code?: string }) => {
    const tooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    const message = tooLarge ? `${name} needed more than its ${memoryMb} MiB.` : error.message;
    settle()?.reject(new WorkerTaskError(tooLarge ? 'memory' : 'failed', message));
    void end();
  });
  worker.on('exit', () => {
    settle()?.reject(new WorkerTaskError('ended', `${name} ended before it answered.`));
    void end();
  });
  // After the listeners, which make the process wait for it again.
  worker.unref();

  return {
    run(input, signal, onProgress) {
      clearTimeout(timer);
      worker.ref();
      return new Promise((resolve, reject) => {
        const stop = () => {
          // First the end, so that the thread is not given to the next run.
          void end();
          settle()?.reject(signal.reason);
        };
        signal.addEventListener('abort', stop, { once: true });
        const done = () => signal.removeEventListener('abort', stop);
        task = {
          resolve: (output) => {
            done();
            resolve(output);
          },
          reject: (error) => {
            done();
            reject(error);
          },
          onProgress,
        };
        if (signal.aborted) stop();
        else worker.postMessage(input);
      });
    },
    endAfter(ms) {
      timer = setTimeout(() => void end(), ms);
      timer.unref();
    },
    end,
  };
}
