import { HostError } from '../host-error.js';
import { RecordStore, type RecordStoreOptions } from './record-store.js';
import { LAST } from './record-key.js';
import { Table } from './table.js';
import { parseTableDefinition, type TableDefinition } from './table-definition.js';
import { Transactions } from './transaction.js';
import type { Write } from './write.js';

/** Options of `openTables`. */
export interface OpenTablesOptions extends RecordStoreOptions {
  /** Told of every table that is new or defined differently. */
  readonly onDefined?: (definition: TableDefinition) => void;
}

// The definitions of the tables live in the store beside their records.
const CATALOG = ['system', 'hdb_table'] as const;
const DATABASES = ['system', 'hdb_database'] as const;

/**
 * The tables of one host, on LMDB. One per thread; only the main thread writes, the others hand their writes to
 * it (`remoteCommit`). Usable in process, without a host, by tests of whatever stores in tables.
 */
export class Tables {
  readonly #store: RecordStore;
  readonly #transactions: Transactions;
  readonly #options: OpenTablesOptions;
  #remembered: Promise<void> = Promise.resolve();
  /** `databases[database][table]`, as Harper's global. */
  readonly databases: Record<string, Record<string, Table>> = { data: {}, system: {} };

  constructor(options: OpenTablesOptions) {
    this.#options = options;
    this.#store = new RecordStore(options);
    this.#transactions = new Transactions((writes) => this.#store.commit(writes));
    for (const name of this.#stored(DATABASES)) this.databases[String(name['name'])] ??= {};
    for (const row of this.#stored(CATALOG)) this.adopt(parseTableDefinition(row['definition']));
  }

  /** The tables of the database `data`, as Harper's global `tables`. */
  get tables(): Record<string, Table> {
    return (this.databases['data'] ??= {});
  }

  /** Makes the table, or applies the definition to the one there is. Idempotent. */
  readonly ensureTable = (definition: unknown, defaultDatabase?: string): Table => {
    const parsed = parseTableDefinition(definition, defaultDatabase);
    const existing = this.find(parsed.database, parsed.table);
    if (existing !== undefined && JSON.stringify(existing.definition) === JSON.stringify(parsed))
      return existing;
    const table = this.adopt(parsed);
    this.#options.onDefined?.(parsed);
    if (this.#options.remoteCommit === undefined) this.#remember(parsed);
    return table;
  };

  /** As `ensureTable`; resolves when the definition is on disk. */
  async createTable(definition: unknown): Promise<Table> {
    const table = this.ensureTable(definition);
    await this.#remembered;
    return table;
  }

  /** Knows a table that another thread defined. */
  adopt(definition: TableDefinition): Table {
    const database = (this.databases[definition.database] ??= {});
    const existing = database[definition.table];
    if (existing === undefined)
      return (database[definition.table] = new Table(definition, this.#store, this.#transactions));
    existing.definition = definition;
    return existing;
  }

  find(database: string, table: string): Table | undefined {
    const tables = Object.hasOwn(this.databases, database) ? this.databases[database] : undefined;
    return tables !== undefined && Object.hasOwn(tables, table) ? tables[table] : undefined;
  }

  /** The table, or a 404 that names it. */
  table(database: string, table: string): Table {
    const found = this.find(database, table);
    if (found === undefined) throw new HostError(404, `Table '${database}.${table}' does not exist`);
    return found;
  }

  /** Harper's global `transaction`: `transaction(callback)` or `transaction(context, callback)`. */
  readonly transaction = <T>(contextOrWork: unknown, maybeWork?: () => T | Promise<T>): Promise<T> => {
    const work = typeof contextOrWork === 'function' ? (contextOrWork as () => T | Promise<T>) : maybeWork;
    if (typeof work !== 'function') throw new HostError(400, 'transaction() needs a function to run');
    return this.#transactions.run(work);
  };

  /** Commits what another thread has collected. */
  commit(writes: readonly Write[]): Promise<void> {
    return this.#store.commit(writes);
  }

  async createDatabase(name: string): Promise<void> {
    this.databases[name] ??= {};
    await this.#store.commit([{ kind: 'put', key: [...DATABASES, name], record: { name } }]);
  }

  async dropTable(database: string, table: string): Promise<void> {
    this.table(database, table);
    delete this.databases[database]?.[table];
    await this.#store.commit([{ kind: 'remove', key: [...CATALOG, database, table] }]);
    await this.#store.removeAll(database, table);
  }

  async dropDatabase(name: string): Promise<void> {
    for (const table of Object.keys(this.databases[name] ?? {})) await this.dropTable(name, table);
    delete this.databases[name];
    await this.#store.commit([{ kind: 'remove', key: [...DATABASES, name] }]);
  }

  async close(): Promise<void> {
    await this.#store.close();
  }

  #remember(definition: TableDefinition): void {
    const { database, table } = definition;
    const record = { definition };
    // Not awaited: commits keep their order, so no record of the table can become durable before its definition.
    this.#remembered = this.#store.commit([{ kind: 'put', key: [...CATALOG, database, table], record }]);
    this.#remembered.catch((error: unknown) => this.#options.onFatal?.(error));
  }

  *#stored(prefix: readonly string[]): Generator<Readonly<Record<string, unknown>>> {
    for (const { value } of this.#store.range({ start: prefix, end: [...prefix, LAST] })) yield value;
  }
}

/** Opens (or makes) the tables in a folder. */
export function openTables(options: OpenTablesOptions): Tables {
  return new Tables(options);
}
