import { AsyncLocalStorage } from 'node:async_hooks';
import type { StoredRecord } from './stored-record.js';
import type { StoreKey } from './record-key.js';
import { applyWrite, type Write } from './write.js';

/** Collects the writes of one transaction; its own reads by key see them. */
export class WriteBuffer {
  readonly writes: Write[] = [];
  readonly #seen = new Map<string, StoredRecord | undefined>();
  /** False once committed or rolled back: whoever still runs in its context writes for itself again. */
  open = true;

  add(write: Write, stored: StoredRecord | undefined): void {
    const text = JSON.stringify(write.key);
    const before = this.#seen.has(text) ? this.#seen.get(text) : stored;
    this.#seen.set(text, applyWrite(write, before));
    this.writes.push(write);
  }

  read(key: StoreKey): { readonly record: StoredRecord | undefined } | undefined {
    const text = JSON.stringify(key);
    return this.#seen.has(text) ? { record: this.#seen.get(text) } : undefined;
  }
}

/** Transactions over one store, told apart by the async context they run in. */
export class Transactions {
  readonly #current = new AsyncLocalStorage<WriteBuffer>();
  readonly #commit: (writes: readonly Write[]) => Promise<void>;

  constructor(commit: (writes: readonly Write[]) => Promise<void>) {
    this.#commit = commit;
  }

  current(): WriteBuffer | undefined {
    const buffer = this.#current.getStore();
    return buffer?.open === true ? buffer : undefined;
  }

  /**
   * Runs `work`; its writes become durable together when its promise resolves, and none of them is kept when it
   * rejects. Inside another transaction it joins that one.
   */
  async run<T>(work: () => T | Promise<T>): Promise<T> {
    if (this.current() !== undefined) return work();
    const buffer = new WriteBuffer();
    try {
      const result = await this.#current.run(buffer, work);
      buffer.open = false;
      if (buffer.writes.length > 0) await this.#commit(buffer.writes);
      return result;
    } finally {
      buffer.open = false;
    }
  }
}
