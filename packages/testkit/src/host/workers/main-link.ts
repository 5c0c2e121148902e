import type { MessagePort, TransferListItem } from 'node:worker_threads';
import { HostError } from '../host-error.js';
import type { Write } from '../tables/write.js';
import { toWorkerSchema, type FromWorker, type ToWorker } from './worker-messages.js';

/** A worker's line to the main thread. */
export class MainLink {
  readonly #port: MessagePort;
  readonly #commits = new Map<number, { resolve(): void; reject(error: Error): void }>();
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
  }

  send(message: FromWorker, transfer: readonly TransferListItem[] = []): void {
    this.#port.postMessage(message, transfer);
  }

  /** Has the main thread commit; only that one writes. */
  readonly commit = (writes: readonly Write[]): Promise<void> =>
    new Promise((resolve, reject) => {
      const id = ++this.#lastId;
      this.#commits.set(id, { resolve, reject });
      this.send({ type: 'commit', id, writes: [...writes] });
    });

  listen(handle: (message: Exclude<ToWorker, { type: 'committed' }>) => void): void {
    this.#port.on('message', (raw: unknown) => {
      const message = toWorkerSchema.parse(raw);
      if (message.type !== 'committed') return handle(message);
      const commit = this.#commits.get(message.id);
      this.#commits.delete(message.id);
      if (message.error === undefined) commit?.resolve();
      else commit?.reject(new HostError(message.error.statusCode, message.error.message));
    });
  }
}
