import { join } from 'node:path';
import { open, type RootDatabase, type Database } from 'lmdb';
import { HostError } from '../host-error.js';
import { isIdPart, LAST, type StoreKey } from './record-key.js';
import type { StoredRecord } from './stored-record.js';
import { applyWrite, type Write } from './write.js';

/** Options of the one LMDB environment a host has. */
export interface RecordStoreOptions {
  /** Folder of the database files; made when missing. */
  readonly path: string;
  /** Where a thread that may only read sends its writes. */
  readonly remoteCommit?: (writes: readonly Write[]) => Promise<void>;
  /** Called when the disk refused a commit: nothing may be written by this process any more. */
  readonly onFatal?: (error: unknown) => void;
}

export interface KeyRange {
  readonly start: readonly (string | number | Uint8Array)[];
  readonly end: readonly (string | number | Uint8Array)[];
  readonly exclusiveStart?: boolean;
  readonly inclusiveEnd?: boolean;
  readonly reverse?: boolean;
  readonly limit?: number;
}

type AnyKey = (string | number | Uint8Array)[];

/** Every record of every table, in one named database, keyed `[database, table, ...primary key]`. */
export class RecordStore {
  readonly #env: RootDatabase<unknown, string>;
  readonly #records: Database<StoredRecord, AnyKey>;
  readonly #options: RecordStoreOptions;
  #closed = false;

  constructor(options: RecordStoreOptions) {
    this.#options = options;
    const readOnly = options.remoteCommit !== undefined;
    this.#env = open<unknown, string>({
      path: join(options.path, 'store'),
      readOnly,
      // With overlapping syncs other readers would see a write that a power cut can still take back.
      overlappingSync: false,
      strictAsyncOrder: true,
    });
    const records = { name: 'records', encoder: { freezeData: true } };
    this.#records = this.#env.openDB<StoredRecord, AnyKey>(records);
  }

  get(key: StoreKey): StoredRecord | undefined {
    this.#prepareRead();
    return this.#records.get(key);
  }

  range(range: KeyRange): Iterable<{ key: AnyKey; value: StoredRecord }> {
    this.#prepareRead();
    const { start, end, ...rest } = range;
    // LMDB walks a reverse range from its upper end, so the ends change places.
    const ends =
      range.reverse === true ? { start: [...end], end: [...start] } : { start: [...start], end: [...end] };
    return this.#records.getRange({ ...ends, ...rest });
  }

  /**
   * Applies all of `writes` or none, and resolves when they are on disk. Commits asked for in one tick share one
   * disk commit. A refused write (409) rejects its own commit only.
   */
  async commit(writes: readonly Write[]): Promise<void> {
    // A put after close throws where nobody can catch it, and takes the process down.
    if (this.#closed) throw new HostError(503, 'The database is closed: the server is shutting down');
    if (this.#options.remoteCommit !== undefined) return this.#options.remoteCommit(writes);
    try {
      await this.#records.childTransaction(() => this.#apply(writes));
    } catch (error) {
      // After a failed commit (disk full) LMDB can no longer be trusted; the process must end.
      if (!(error instanceof HostError)) this.#options.onFatal?.(error);
      throw error;
    }
  }

  /** Removes a whole table. */
  async removeAll(database: string, table: string): Promise<void> {
    const writes: Write[] = [];
    for (const { key } of this.range({ start: [database, table], end: [database, table, LAST] })) {
      writes.push({ kind: 'remove', key: key.filter(isIdPart) });
    }
    if (writes.length > 0) await this.commit(writes);
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#env.close();
  }

  #apply(writes: readonly Write[]): void {
    for (const write of writes) {
      if (write.kind === 'remove') {
        void this.#records.remove(write.key);
        continue;
      }
      const before = write.kind === 'put' ? undefined : this.#records.get(write.key);
      const after = applyWrite(write, before);
      if (after !== undefined) void this.#records.put(write.key, after);
    }
  }

  #prepareRead(): void {
    if (this.#closed) throw new HostError(503, 'The database is closed: the server is shutting down');
    // A thread that does not write keeps an old snapshot until its next timer: another thread's commit stays invisible.
    if (this.#options.remoteCommit !== undefined) this.#env.resetReadTxn();
  }
}
