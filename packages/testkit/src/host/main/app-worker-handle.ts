import { Worker, type TransferListItem } from 'node:worker_threads';
import { HostError, messageOf, statusCodeOf } from '../host-error.js';
import { processEntry } from '../process-entry.js';
import type { Write } from '../tables/write.js';
import {
  fromWorkerSchema,
  type FromWorker,
  type ToWorker,
  type WorkerData,
} from '../workers/worker-messages.js';
import type { ThreadPort } from '../workers/thread-list.js';
import { resumePausedWorker } from './resume-paused-worker.js';

const PAUSED_MS = 1500;
const INSPECTOR_MS = 2000;
const TERMINATE_MS = 2000;

export interface AppWorkerOptions {
  readonly data: WorkerData;
  readonly startTimeoutMs: number;
  readonly commit: (writes: readonly Write[]) => Promise<void>;
  readonly onTable: (definition: unknown) => void;
  /** Told of what a component on the worker sends those of the main thread. */
  readonly onMessage: (message: unknown, from: ThreadPort) => void;
}

/** One worker thread that serves applications, seen from the main thread. */
export class AppWorkerHandle {
  readonly #worker: Worker;
  readonly #options: AppWorkerOptions;
  readonly index: number;
  /** What components of the main thread see of it. */
  readonly thread: ThreadPort;
  /** Where it serves; known once `started` has resolved. */
  port = 0;
  readonly exited: Promise<number>;
  #inspector: ((url: string | undefined) => void) | undefined;

  constructor(options: AppWorkerOptions) {
    this.#options = options;
    this.index = options.data.index;
    const { data } = options;
    this.#worker = new Worker(processEntry('app-worker'), {
      workerData: data,
      execArgv: [],
      name: `http-${data.index}`,
    });
    this.thread = {
      threadId: this.#worker.threadId,
      name: 'http',
      workerIndex: data.index,
      postMessage: (message, transfer) => this.send({ type: 'component', message }, transfer),
    };
    this.exited = new Promise((resolve) => this.#worker.once('exit', resolve));
    // An error that ends the thread is logged by the thread; unheard, it would end this one too.
    this.#worker.on('error', () => {});
  }

  get threadId(): number {
    return this.#worker.threadId;
  }

  /** Resolves when it serves; rejects when it ends first or takes too long, and is gone then. */
  async started(): Promise<void> {
    const { startTimeoutMs } = this.#options;
    const ready = new Promise<void>((resolve) => {
      this.#worker.on('message', (message: unknown) => {
        const parsed = fromWorkerSchema.parse(message);
        if (parsed.type === 'ready') {
          this.port = parsed.port;
          resolve();
        } else this.#handle(parsed);
      });
    });
    const outcome = await Promise.race([
      ready,
      this.exited.then(() => 'ended'),
      after(startTimeoutMs, 'late'),
    ]);
    if (outcome === undefined) return;
    await this.terminate();
    throw new HostError(
      500,
      outcome === 'late'
        ? `Worker ${this.index} was not ready after ${startTimeoutMs} ms: a component may block while it loads`
        : `Worker ${this.index} ended while it started; the log says why`,
    );
  }

  send(message: ToWorker, transfer: readonly TransferListItem[] = []): void {
    this.#worker.postMessage(message, transfer);
  }

  /** Opens its inspector; resolves with the URL, or undefined when that failed. */
  async openInspector(host: string, port: number): Promise<string | undefined> {
    const opened = new Promise<string | undefined>((resolve) => (this.#inspector = resolve));
    this.send({ type: 'open-inspector', host, port });
    return Promise.race([opened, this.exited.then(() => undefined), after(INSPECTOR_MS, undefined)]);
  }

  /**
   * Asks it to finish what it serves and go, and sees to it that it does: one that a debugger holds is resumed,
   * one that stays is terminated. Resolves with false if even that failed.
   */
  async leave({ lingerMs, graceMs }: { lingerMs: number; graceMs: number }): Promise<boolean> {
    this.send({ type: 'leave', lingerMs });
    const gone = (milliseconds: number) => Promise.race([this.exited, after(milliseconds, 'late')]);
    if ((await gone(PAUSED_MS)) !== 'late') return true;
    await resumePausedWorker(this.threadId);
    if ((await gone(graceMs)) !== 'late') return true;
    return this.terminate();
  }

  async terminate(): Promise<boolean> {
    // A paused thread cannot be terminated: the call would hang, and so would the end of the process.
    await resumePausedWorker(this.threadId);
    void this.#worker.terminate();
    return (await Promise.race([this.exited, after(TERMINATE_MS, 'late')])) !== 'late';
  }

  #handle(message: Exclude<FromWorker, { type: 'ready' }>): void {
    if (message.type === 'inspector') this.#inspector?.(message.url);
    else if (message.type === 'table') this.#options.onTable(message.definition);
    else if (message.type === 'component') this.#options.onMessage(message.message, this.thread);
    else {
      const { id } = message;
      this.#options.commit(message.writes).then(
        () => this.send({ type: 'committed', id }),
        (error: unknown) =>
          this.send({
            type: 'committed',
            id,
            error: { message: messageOf(error), statusCode: statusCodeOf(error) },
          }),
      );
    }
  }
}

function after<T>(milliseconds: number, value: T): Promise<T> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(value), milliseconds).unref();
  });
}
