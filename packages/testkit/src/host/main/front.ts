import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { processEntry } from '../process-entry.js';
import { parseFromFront } from '../workers/front-messages.js';

/** The thread that listens on the app port. */
export class Front {
  readonly #worker: Worker;
  readonly #using = new Map<number, () => void>();
  #lastId = 0;
  readonly port: number;

  private constructor(worker: Worker, port: number) {
    this.#worker = worker;
    this.port = port;
    worker.on('message', (message: unknown) => {
      const parsed = parseFromFront(message);
      if (parsed.type !== 'using') return;
      this.#using.get(parsed.id)?.();
      this.#using.delete(parsed.id);
    });
  }

  /** Resolves when it listens; rejects when the port stays taken. */
  static async open(port: number): Promise<Front> {
    const worker = new Worker(processEntry('front'), { workerData: { port }, execArgv: [], name: 'front' });
    const [message] = (await once(worker, 'message')) as unknown[];
    const first = parseFromFront(message);
    if (first.type === 'listening') return new Front(worker, first.port);
    await worker.terminate();
    throw new Error(
      `The app port ${port} cannot be opened: ${first.type === 'failed' ? first.message : first.type}`,
    );
  }

  /** Sends new connections to these ports, in turn. Resolves when it does. */
  async use(ports: readonly number[]): Promise<void> {
    const id = ++this.#lastId;
    const used = new Promise<void>((resolve) => this.#using.set(id, resolve));
    this.#worker.postMessage({ type: 'targets', id, ports });
    await used;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }
}
