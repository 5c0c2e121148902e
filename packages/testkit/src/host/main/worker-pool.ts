import type { HostLogger } from '../log/open-log.js';
import { messageOf } from '../host-error.js';
import type { TableDefinition } from '../tables/table-definition.js';
import type { ThreadList } from '../workers/thread-list.js';
import { AppWorkerHandle, type AppWorkerOptions } from './app-worker-handle.js';
import type { Front } from './front.js';

// Clients use kept connections a little longer; until the linger is over they are told to close them.
const REPLACED = { lingerMs: 300, graceMs: 10_000 };
const AT_END = { lingerMs: 0, graceMs: 1000 };
const MOST_RESTARTS = 50;

export interface WorkerPoolOptions {
  readonly count: number;
  readonly front: Front;
  readonly logger: HostLogger;
  readonly debug: { readonly host: string; readonly startingPort: number } | undefined;
  /** Shows the live workers; changed in place. */
  readonly threads: ThreadList;
  readonly worker: (index: number) => AppWorkerOptions;
}

/** The application workers: started, replaced without losing a request, started again when one ends. */
export class WorkerPool {
  readonly #options: WorkerPoolOptions;
  readonly #workers: (AppWorkerHandle | undefined)[] = [];
  #replacing: Promise<void> = Promise.resolve();
  #restarts = 0;
  #closed = false;

  constructor(options: WorkerPoolOptions) {
    this.#options = options;
  }

  /** Resolves when all workers serve, or have failed to start (logged). */
  async start(): Promise<void> {
    const { count, logger } = this.#options;
    const started = await Promise.allSettled(Array.from({ length: count }, (_, index) => this.#begin(index)));
    for (const [index, outcome] of started.entries()) {
      if (outcome.status === 'fulfilled') this.#adopt(outcome.value);
      else logger.error(`Worker ${index} does not serve: ${messageOf(outcome.reason)}`);
    }
    await this.#publish();
    await this.#openInspectors();
  }

  /**
   * Replaces every worker by one that has loaded the components anew. The old ones serve until the new ones do,
   * and finish what they serve. Resolves when all old ones are gone; rejects, with the old ones still serving,
   * when a new one does not start.
   */
  replace(): Promise<void> {
    const next = this.#replacing.then(() => this.#replaceAll());
    this.#replacing = next.catch(() => {});
    return next;
  }

  announce(definition: TableDefinition): void {
    for (const worker of this.#workers) worker?.send({ type: 'table', definition });
  }

  /** Resolves with false when a thread could not be ended. */
  async close(): Promise<boolean> {
    this.#closed = true;
    await this.#replacing;
    const gone = await Promise.all(this.#workers.map(async (worker) => worker?.leave(AT_END) ?? true));
    return gone.every(Boolean);
  }

  async #replaceAll(): Promise<void> {
    if (this.#closed) return;
    const { count, logger } = this.#options;
    const old = this.#workers.filter((worker) => worker !== undefined);
    const started = await Promise.allSettled(Array.from({ length: count }, (_, index) => this.#begin(index)));
    const fresh = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    const failed = started.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) {
      await Promise.all(fresh.map((worker) => worker.terminate()));
      logger.error(`The workers were not replaced: ${messageOf(failed.reason)}`);
      throw failed.reason;
    }
    for (const worker of fresh) this.#adopt(worker);
    await this.#publish();
    await Promise.all(old.map((worker) => worker.leave(REPLACED)));
    // Only now: an inspector port that is still taken stays closed for good.
    await this.#openInspectors();
  }

  async #begin(index: number): Promise<AppWorkerHandle> {
    const worker = new AppWorkerHandle(this.#options.worker(index));
    await worker.started();
    return worker;
  }

  #adopt(worker: AppWorkerHandle): void {
    this.#workers[worker.index] = worker;
    void worker.exited.then((code) => this.#ended(worker, code));
  }

  async #ended(worker: AppWorkerHandle, code: number): Promise<void> {
    if (this.#closed || this.#workers[worker.index] !== worker) return;
    const { logger } = this.#options;
    this.#workers[worker.index] = undefined;
    logger.error(`Worker ${worker.index} ended by itself with code ${code}`);
    await this.#publish();
    while (this.#restarts++ < MOST_RESTARTS) {
      try {
        const fresh = await this.#begin(worker.index);
        // Meanwhile a replacement of all workers may have filled the place, or the host may be ending.
        if (this.#closed || this.#workers[worker.index] !== undefined) return void fresh.terminate();
        this.#adopt(fresh);
        await this.#publish();
        await this.#openInspectors();
        return;
      } catch (error) {
        logger.error(`Worker ${worker.index} did not come back: ${messageOf(error)}`);
      }
    }
    logger.fatal(`Workers were started again ${MOST_RESTARTS} times: worker ${worker.index} stays away`);
  }

  async #publish(): Promise<void> {
    const live = this.#workers.filter((worker) => worker !== undefined);
    const { threads, front } = this.#options;
    threads.splice(0, threads.length, ...live.map(({ thread }) => thread));
    await front.use(live.map(({ port }) => port));
  }

  async #openInspectors(): Promise<void> {
    const { debug, logger } = this.#options;
    if (debug === undefined) return;
    for (const worker of this.#workers) {
      if (worker === undefined) continue;
      const port = debug.startingPort + worker.index;
      const url = await worker.openInspector(debug.host, port);
      if (url === undefined)
        logger.error(`Worker ${worker.index} could not open its inspector on port ${port}`);
      else logger.info(`Worker ${worker.index} listens for debuggers on ${url}`);
    }
  }
}
