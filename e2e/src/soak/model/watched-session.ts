import type { Entry } from '@harperfast/agent-core';
import { Violation } from '../violation.js';
import type { SessionRecord } from './session-record.js';

/** A reader of a session's entries, and what it has read. */
export class WatchedSession {
  readonly record: SessionRecord;
  readonly #leaving = new AbortController();
  readonly #fail: (error: unknown) => void;
  #seen: number;
  #reading = false;

  constructor(record: SessionRecord, after: number, fail: (error: unknown) => void) {
    this.record = record;
    this.#seen = after;
    this.#fail = fail;
  }

  get signal(): AbortSignal {
    return this.#leaving.signal;
  }

  leave(): void {
    this.#leaving.abort();
  }

  /** Reads to the end: each entry is the next one, and durable. */
  async read(entries: AsyncIterable<Entry>): Promise<void> {
    this.#reading = true;
    try {
      for await (const entry of entries) {
        if (entry.seq !== this.#seen + 1)
          throw new Violation(`a watcher is told entry ${entry.seq} after ${this.#seen}`);
        if (this.record.entries.length < entry.seq)
          throw new Violation(`a watcher is told entry ${entry.seq}, which is not durable`);
        this.#seen = entry.seq;
      }
      this.leave();
    } catch (error) {
      if (error instanceof Violation || !/as injected|has crashed/.test(String(error))) this.#fail(error);
      this.leave();
    }
  }

  /** Throws when the reader still reads and has not been told everything. */
  checkComplete(): void {
    const { entries, deleted } = this.record;
    if (!this.#reading || this.signal.aborted || deleted || this.#seen >= entries.length) return;
    throw new Violation(`a watcher was told ${this.#seen} of ${entries.length} entries`);
  }
}
