import { createMemoryStore } from '@harperfast/agent-core';
import type { Entry, SessionStore } from '@harperfast/agent-core';
import { SessionRecord } from './session-record.js';

/** What survives every crash, seen entry by entry. */
export interface RecordingStore {
  readonly store: SessionStore;
  /** Every session ever created, deleted ones too. */
  readonly records: readonly SessionRecord[];
  /** The session that has this id now. */
  find(id: string): SessionRecord | undefined;
}

/** A memory store that hands every durable entry to the record of its session; `onFault` hears what that throws. */
export function recordingStore(
  onFault: (error: unknown) => void,
  onEntry: (record: SessionRecord, entry: Entry) => void,
): RecordingStore {
  const base = createMemoryStore();
  const records: SessionRecord[] = [];
  const find = (id: string): SessionRecord | undefined =>
    records.findLast((record) => record.id === id && !record.deleted);

  return {
    records,
    find,
    store: {
      load: (id) => base.load(id),
      read: (id, range) => base.read(id, range),
      list: (query) => base.list(query),
      async create(header) {
        await base.create(header);
        records.push(new SessionRecord(header));
      },
      async append(id, after, entries, header) {
        await base.append(id, after, entries, header);
        const record = find(id);
        if (record === undefined) return onFault(new Error(`The session ${id} was written and is not there`));
        try {
          for (const entry of entries) {
            record.add(entry);
            onEntry(record, entry);
          }
          record.expected.checkHeader(header);
          record.headers.set(header.seq, header);
        } catch (error) {
          onFault(error);
        }
      },
      async delete(id) {
        await base.delete(id);
        const record = find(id);
        if (record !== undefined) record.deleted = true;
      },
    },
  };
}
