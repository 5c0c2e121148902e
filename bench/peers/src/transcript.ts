import Database from 'better-sqlite3';
import { join } from 'node:path';

/** NORMAL survives SIGKILL; FULL, which flushes every commit, also the loss of power. */
export type Synchronous = 'NORMAL' | 'FULL';

export function toSynchronous(variant: string): Synchronous {
  if (variant === 'NORMAL' || variant === 'FULL') return variant;
  throw new Error(`There is no variant '${variant}': use NORMAL or FULL`);
}

/** Opens (or makes) a SQLite file in WAL mode. */
export function openDatabase(folder: string, synchronous: Synchronous): Database.Database {
  const database = new Database(join(folder, 'bench.sqlite'));
  database.pragma('journal_mode = WAL');
  database.pragma(`synchronous = ${synchronous}`);
  return database;
}

/** A table of transcripts that is only ever appended to: the least that durability costs. */
export interface Transcript {
  /** Durable when it returns. */
  append(session: string, seq: number, item: unknown): void;
  /** Shares one commit with everything else that comes before the next turn of the event loop. */
  appendSoon(session: string, seq: number, item: unknown): Promise<void>;
  read(session: string): readonly unknown[];
  close(): void;
}

export function openTranscript(folder: string, synchronous: Synchronous): Transcript {
  const database = openDatabase(folder, synchronous);
  database.exec(
    'CREATE TABLE IF NOT EXISTS item (session TEXT, seq INTEGER, item TEXT, PRIMARY KEY (session, seq)) WITHOUT ROWID',
  );
  const insert = database.prepare('INSERT INTO item VALUES (?, ?, ?)');
  const select = database.prepare<[string], { item: string }>(
    'SELECT item FROM item WHERE session = ? ORDER BY seq',
  );
  const insertAll = database.transaction((rows: readonly (readonly unknown[])[]) => {
    for (const row of rows) insert.run(...row);
  });
  let queued: (readonly [string, number, string])[] = [];
  let committed: Promise<void> | undefined;

  return {
    append(session, seq, item) {
      insert.run(session, seq, JSON.stringify(item));
    },
    appendSoon(session, seq, item) {
      queued.push([session, seq, JSON.stringify(item)]);
      committed ??= new Promise((resolve, reject) => {
        setImmediate(() => {
          const rows = queued;
          queued = [];
          committed = undefined;
          try {
            insertAll(rows);
            resolve();
          } catch (error) {
            reject(error);
          }
        });
      });
      return committed;
    },
    read: (session) => select.all(session).map(({ item }): unknown => JSON.parse(item)),
    close: () => void database.close(),
  };
}
