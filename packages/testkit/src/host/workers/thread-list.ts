import type { TransferListItem } from 'node:worker_threads';

/** One thread as components see it in the global `threads`. */
export interface ThreadPort {
  /** Undefined for the main thread. */
  readonly threadId?: number;
  readonly name: string;
  /** Of a worker; its replacement has the same. */
  readonly workerIndex?: number;
  postMessage(message: unknown, transfer?: readonly TransferListItem[]): void;
}

type Listener = (message: object, from: ThreadPort) => void;

/** The global `threads`: on the main thread the workers, on a worker the main thread; changed in place. */
export class ThreadList extends Array<ThreadPort> {
  readonly #listeners = new Map<unknown, Listener[]>();

  // What `map` and `filter` make of it is a plain list.
  static override get [Symbol.species](): ArrayConstructor {
    return Array;
  }

  /** Calls the listener with every message of this type, and the thread that sent it. */
  onMessageByType(type: string, listener: Listener): void {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener]);
  }

  /** Whether there is such a thread. */
  sendToThread(threadId: number, message: unknown): boolean {
    const port = this.find((thread) => thread.threadId === threadId);
    port?.postMessage(message);
    return port !== undefined;
  }

  /** Hands on what a thread has sent. */
  deliver(message: unknown, from: ThreadPort): void {
    if (typeof message !== 'object' || message === null || !('type' in message)) return;
    for (const listener of this.#listeners.get(message.type) ?? []) listener(message, from);
  }
}
