import { randomUUID } from 'node:crypto';
import { HostError } from '../host-error.js';
import { bounds, parseQuery, type Query } from './conditions.js';
import { idParts, isIdPart, LAST, recordKey, type RecordId } from './record-key.js';
import type { KeyRange, RecordStore } from './record-store.js';
import { searchRecords } from './search.js';
import { copyRecord, isPlainObject, type StoredRecord } from './stored-record.js';
import type { TableDefinition } from './table-definition.js';
import type { Transactions } from './transaction.js';
import type { Write } from './write.js';

/** Raw reads by key, outside any transaction. */
export interface PrimaryStore {
  get(id: unknown): StoredRecord | undefined;
  getRange(range?: {
    start?: unknown;
    end?: unknown;
    exclusiveStart?: boolean;
    reverse?: boolean;
    limit?: number;
  }): Iterable<{ key: RecordId; value: StoredRecord }>;
}

/**
 * One table, with the part of the static API of Harper's tables that components use. Records come back frozen.
 * A write is durable when its promise resolves, or when the transaction it belongs to does.
 */
export class Table {
  readonly #store: RecordStore;
  readonly #transactions: Transactions;
  definition: TableDefinition;

  constructor(definition: TableDefinition, store: RecordStore, transactions: Transactions) {
    this.definition = definition;
    this.#store = store;
    this.#transactions = transactions;
  }

  get tableName(): string {
    return this.definition.table;
  }

  get databaseName(): string {
    return this.definition.database;
  }

  get primaryKey(): string {
    return this.definition.primaryKey;
  }

  get attributes(): TableDefinition['attributes'] {
    return this.definition.attributes;
  }

  readonly primaryStore: PrimaryStore = {
    get: (id) => this.#store.get(this.#key(id)),
    getRange: (range = {}) => this.#rawRange(range),
  };

  /** The record, or undefined. Inside a transaction its own writes are seen. */
  async get(id: unknown, _context?: unknown): Promise<StoredRecord | undefined> {
    const key = this.#key(isPlainObject(id) ? id['id'] : id);
    const pending = this.#transactions.current()?.read(key);
    return pending === undefined ? this.#store.get(key) : pending.record;
  }

  /** Replaces the record: `put(record)` or `put(id, record)`. */
  async put(idOrRecord: unknown, record?: unknown, _context?: unknown): Promise<void> {
    await this.#write('put', idOrRecord, record);
  }

  /** Merges into the record, which is made when missing: `patch(id, partial)` or `patch(partial)`. */
  async patch(idOrRecord: unknown, record?: unknown, _context?: unknown): Promise<void> {
    await this.#write('patch', idOrRecord, record);
  }

  /** Adds a record and resolves with it; 409 where its key is taken. Without a key it gets a UUID. */
  async create(idOrRecord: unknown, record?: unknown, _context?: unknown): Promise<StoredRecord> {
    return this.#write('create', idOrRecord, record);
  }

  /** Resolves with whether there was a record. */
  async delete(id: unknown, _context?: unknown): Promise<boolean> {
    const existed = (await this.get(id)) !== undefined;
    await this.#submit({ kind: 'remove', key: this.#key(isPlainObject(id) ? id['id'] : id) });
    return existed;
  }

  /**
   * Records that match, in primary-key order unless `sort` says otherwise. Sorting by an attribute that is neither
   * indexed nor the key fails with 404, as in Harper. Writes of an open transaction are not seen.
   */
  search(query?: unknown, _context?: unknown): AsyncIterableIterator<StoredRecord> {
    const parsed = parseQuery(query);
    for (let order = parsed.sort; order !== undefined; order = order.next)
      this.#requireIndex(order.attribute);
    const reverse = parsed.sort?.attribute === this.primaryKey && parsed.sort.descending === true;
    const range = { ...this.#keyRange(parsed), reverse };
    return searchRecords(this.#store.range(range), parsed, this.primaryKey);
  }

  #requireIndex(attribute: string): void {
    if (attribute === this.primaryKey) return;
    const indexed = this.attributes.find(({ name }) => name === attribute)?.indexed;
    if (indexed === undefined || indexed === null || indexed === false) {
      throw new HostError(404, `${attribute} is not indexed in ${this.tableName}, so it cannot be sorted by`);
    }
  }

  /** The part of the key space a query's conditions on the primary key leave. */
  #keyRange(query: Query): KeyRange {
    const { database, table, primaryKey } = this.definition;
    const range = { start: [database, table], end: [database, table, LAST] };
    const condition =
      query.operator === 'and'
        ? query.conditions.find(({ attribute }) => attribute === primaryKey)
        : undefined;
    if (condition === undefined) return range;
    const at = (id: unknown) => [database, table, ...idParts(id)];
    switch (condition.comparator) {
      case 'equals':
        return { start: at(condition.value), end: [...at(condition.value), LAST] };
      case 'between': {
        const [from, to] = bounds(condition.value);
        return { start: at(from), end: [...at(to), LAST] };
      }
      case 'greater_than':
      case 'greater_than_equal':
        return { ...range, start: at(condition.value) };
      case 'less_than':
      case 'less_than_equal':
        return { ...range, end: [...at(condition.value), LAST] };
      case 'starts_with':
        return Array.isArray(condition.value)
          ? { start: at(condition.value), end: [...at(condition.value), LAST] }
          : { ...range, start: at(condition.value) };
      default:
        return range;
    }
  }

  #rawRange(
    range: Parameters<PrimaryStore['getRange']>[0] & object,
  ): Iterable<{ key: RecordId; value: StoredRecord }> {
    const { database, table } = this.definition;
    const at = (id: unknown, otherwise: (string | Uint8Array)[]) =>
      id === undefined ? [database, table, ...otherwise] : [database, table, ...idParts(id)];
    const { start, end, reverse, ...rest } = range;
    // As in LMDB, a reverse range is written from its upper end to its lower one.
    const [low, high] = reverse === true ? [end, start] : [start, end];
    const found = this.#store.range({
      ...rest,
      start: at(low, []),
      end: at(high, [LAST]),
      reverse: reverse === true,
    });
    return mapEntries(found);
  }

  async #write(
    kind: 'put' | 'create' | 'patch',
    idOrRecord: unknown,
    maybeRecord: unknown,
  ): Promise<StoredRecord> {
    const inOne = isPlainObject(idOrRecord);
    const given = copyRecord(inOne ? idOrRecord : maybeRecord);
    const generated = kind === 'create' ? randomUUID() : undefined;
    const id = (inOne ? given[this.primaryKey] : idOrRecord) ?? generated;
    if (id === undefined || id === null) {
      throw new HostError(400, `A record of ${this.tableName} needs its primary key "${this.primaryKey}"`);
    }
    const key = this.#key(id);
    const record = copyRecord({ ...given, [this.primaryKey]: id });
    await this.#submit({ kind, key, record });
    return record;
  }

  async #submit(write: Write): Promise<void> {
    const buffer = this.#transactions.current();
    if (buffer === undefined) await this.#store.commit([write]);
    else buffer.add(write, this.#store.get(write.key));
  }

  #key(id: unknown) {
    return recordKey(this.definition.database, this.definition.table, id);
  }
}

function* mapEntries(
  entries: Iterable<{ key: (string | number | Uint8Array)[]; value: StoredRecord }>,
): Generator<{ key: RecordId; value: StoredRecord }> {
  for (const { key, value } of entries) {
    const parts = key.slice(2).filter(isIdPart);
    const [first] = parts;
    yield { key: parts.length === 1 && first !== undefined ? first : parts, value };
  }
}
