import { readdir, rename, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { isSystemError } from '../root/fs-error.js';

/** One change that is kept. */
interface KeptFile {
  readonly seq: number;
  readonly bytes: number;
  /** When it was written, as far as the disk tells. */
  readonly at: number;
}

/** What a change log keeps in its folder, as its directories tell. Sessions are named by their directory. */
export interface KeptFiles {
  readonly totalBytes: number;
  sessions(): readonly string[];
  /** Numbers of the changes that are kept, in order. */
  kept(session: string): readonly number[];
  /** The number of the last change that was ever kept; 0 before the first. */
  lastSeq(session: string): number;
  droppedUpTo(session: string): number;
  path(session: string, seq: number): string;
  added(session: string, file: { readonly seq: number; readonly size: number; readonly at: number }): void;
  /** Removes a change if it is the last of its session: its number is free again. */
  withdraw(session: string, seq: number): Promise<void>;
  /** Keeps the session's changes after this number from being dropped, until the answer is called. */
  hold(session: string, after: number): () => void;
  /** Drops the oldest change of all that may go; its number stays taken. Undefined where there is none. */
  dropOldest(): Promise<{ readonly session: string; readonly seq: number } | undefined>;
  forget(session: string): Promise<void>;
}

interface KeptSession {
  readonly files: KeptFile[];
  droppedUpTo: number;
}

/** Looks through the folder once. What a crash left unfinished is tidied up. */
export async function scanKeptFiles(folder: string): Promise<KeptFiles> {
  const sessions = new Map<string, KeptSession>();
  const holds = new Set<{ readonly session: string; readonly after: number }>();
  let totalBytes = 0;
  const path = (session: string, seq: number): string => join(folder, session, fileName(seq, 'change'));

  function at(session: string): KeptSession {
    const known = sessions.get(session) ?? { files: [], droppedUpTo: 0 };
    sessions.set(session, known);
    return known;
  }

  for (const session of await names(folder)) {
    for (const name of (await names(join(folder, session))).toSorted()) {
      const file = join(folder, session, name);
      // Anything else in there is not ours to touch.
      const [, seq, kind] = /^(\d{8})\.(change|dropped|change\.tmp)$/.exec(name) ?? [];
      if (kind === 'change.tmp') await rm(file, { force: true });
      else if (kind === 'dropped') {
        await truncate(file);
        at(session).droppedUpTo = Number(seq);
      } else if (kind === 'change') {
        const { size, mtimeMs } = await stat(file);
        add(session, { seq: Number(seq), size, at: mtimeMs });
      }
    }
  }

  function add(session: string, { seq, size, at: time }: Parameters<KeptFiles['added']>[1]): void {
    const bytes = onDisk(size);
    at(session).files.push({ seq, bytes, at: time });
    totalBytes += bytes;
  }

  function isHeld(session: string, seq: number): boolean {
    return [...holds].some((hold) => hold.session === session && seq > hold.after);
  }

  function oldestSession(): { session: string; file: KeptFile } | undefined {
    let oldest: { session: string; file: KeptFile } | undefined;
    for (const [session, { files }] of sessions) {
      const [file] = files;
      if (file === undefined || isHeld(session, file.seq)) continue;
      if (oldest === undefined || file.at < oldest.file.at) oldest = { session, file };
    }
    return oldest;
  }

  return {
    get totalBytes() {
      return totalBytes;
    },
    sessions: () => [...sessions.keys()],
    kept: (session) => sessions.get(session)?.files.map(({ seq }) => seq) ?? [],
    lastSeq: (session) => sessions.get(session)?.files.at(-1)?.seq ?? sessions.get(session)?.droppedUpTo ?? 0,
    droppedUpTo: (session) => sessions.get(session)?.droppedUpTo ?? 0,
    path,
    added: add,
    async withdraw(session, seq) {
      const known = at(session);
      const file = known.files.at(-1);
      if (file?.seq !== seq) return;
      await rm(path(session, seq), { force: true });
      known.files.pop();
      totalBytes -= file.bytes;
    },
    hold(session, after) {
      const hold = { session, after };
      holds.add(hold);
      return () => void holds.delete(hold);
    },
    async dropOldest() {
      const oldest = oldestSession();
      if (oldest === undefined) return undefined;
      const { session, file } = oldest;
      const known = at(session);
      const mark = join(folder, session, fileName(file.seq, 'dropped'));
      await rename(path(session, file.seq), mark);
      await truncate(mark);
      if (known.droppedUpTo > 0) {
        await rm(join(folder, session, fileName(known.droppedUpTo, 'dropped')), { force: true });
      }
      known.files.shift();
      known.droppedUpTo = file.seq;
      totalBytes -= file.bytes;
      return { session, seq: file.seq };
    },
    async forget(session) {
      await rm(join(folder, session), { recursive: true, force: true });
      for (const { bytes } of sessions.get(session)?.files ?? []) totalBytes -= bytes;
      sessions.delete(session);
    },
  };
}

/** What the smallest file takes on disk, about. */
const BLOCK = 4096;

/** What a file of this size takes on disk, about: very many very small files fill it too. */
export function onDisk(size: number): number {
  return Math.ceil(size / BLOCK) * BLOCK;
}

function fileName(seq: number, kind: 'change' | 'dropped'): string {
  return `${String(seq).padStart(8, '0')}.${kind}`;
}

async function names(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT') || isSystemError(error, 'ENOTDIR')) return [];
    throw error;
  }
}
