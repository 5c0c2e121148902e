import { mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { AgentError, InvalidRequestError, NotFoundError } from '@harperfast/agent-core/contracts';
import type { Logger } from '@harperfast/agent-core/contracts';
import { isSystemError } from '../root/fs-error.js';
import { readChangeFile, readPrevious, syncFolder, writeChangeFile } from './change-file.js';
import type { Change } from './change.js';
import type { ChangeLog } from './change-log.js';
import { type KeptFiles, onDisk, scanKeptFiles } from './kept-files.js';

/** Options of `openFileChangeLog`. */
export interface FileChangeLogOptions {
  /** Absolute path of a folder that no root holds and nobody else writes in. Made when the first change is kept. */
  readonly folder: string;
  /** Most bytes of all sessions together (256 MiB). The oldest changes are dropped for new ones. */
  readonly maxBytes?: number;
  /** Told when changes are dropped. */
  readonly logger?: Pick<Logger, 'warn'>;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
}

/** A change log in files. */
export interface FileChangeLog extends ChangeLog {
  readonly folder: string;
  /** The sessions that it keeps something for. */
  sessions(): Promise<readonly string[]>;
}

/**
 * Keeps changes in a folder: one directory a session (0700), one file a change (0600). A change whose `record` has
 * resolved survives the end of the process and a loss of power. Throws `InvalidRequestError` for options it cannot use.
 */
export function openFileChangeLog(options: FileChangeLogOptions): FileChangeLog {
  const { folder, maxBytes = 256 * 1024 * 1024, logger, now = Date.now } = options;
  if (!isAbsolute(folder)) {
    throw new InvalidRequestError(`The change log's folder is '${folder}': give an absolute path.`);
  }
  if (!Number.isSafeInteger(maxBytes) || maxBytes < 1) {
    throw new InvalidRequestError(`The change log's maxBytes is ${maxBytes}: give a whole number from 1.`);
  }
  let scanned: Promise<KeptFiles> | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** What fails once, as a folder that is not there yet may, is tried again. */
  function scan(): Promise<KeptFiles> {
    const files = scanKeptFiles(folder);
    files.catch(() => (scanned = undefined));
    return files;
  }

  /** One at a time: the numbers, the sum of bytes and what is dropped for it depend on one another. */
  function next<T>(work: (files: KeptFiles) => Promise<T>): Promise<T> {
    const result = last.then(async () => work(await (scanned ??= scan())));
    last = result.catch(() => undefined);
    return result;
  }

  async function makeRoom(files: KeptFiles, bytes: number): Promise<void> {
    if (bytes > maxBytes) {
      throw new AgentError(
        'change_too_large',
        `The previous content has ${bytes} bytes, and the change log holds ${maxBytes}: it cannot be kept. Nothing was changed.`,
        { statusCode: 413 },
      );
    }
    await dropFor(files, onDisk(bytes));
  }

  async function dropFor(files: KeptFiles, bytes: number): Promise<void> {
    const dropped: string[] = [];
    while (files.totalBytes + bytes > maxBytes) {
      const oldest = await files.dropOldest();
      if (oldest === undefined) break;
      dropped.push(`${oldest.seq} of session ${sessionIdOf(oldest.session)}`);
    }
    if (dropped.length === 0) return;
    logger?.warn(
      `The change log is full (${maxBytes} bytes): it dropped ${dropped.length} of its oldest changes, the last one ` +
        `${dropped.at(-1)}. They cannot be reverted any more.`,
    );
  }

  return {
    folder,
    record: (draft, previous) =>
      next(async (files) => {
        const session = directoryName(draft.sessionId);
        const seq = files.lastSeq(session) + 1;
        const change: Change = { ...draft, seq, at: now() };
        const content =
          previous !== undefined && draft.kind === 'set' && draft.before.kind === 'file'
            ? draft.before.size
            : 0;
        await makeRoom(files, content + Buffer.byteLength(JSON.stringify(change)) + 1);
        const made = await mkdir(join(folder, session), { recursive: true, mode: 0o700 });
        if (made !== undefined) await syncFolder(folder);
        const size = await writeChangeFile(files.path(session, seq), change, previous);
        files.added(session, { seq, size, at: change.at });
        return seq;
      }),

    withdraw: (sessionId, seq) => next((files) => files.withdraw(directoryName(sessionId), seq)),

    list: (sessionId) =>
      next(async (files) => {
        const session = directoryName(sessionId);
        const changes: Change[] = [];
        for (const seq of files.kept(session)) changes.push(await readChangeFile(files.path(session, seq)));
        return { changes, droppedUpTo: files.droppedUpTo(session) };
      }),

    hold: (sessionId, after) =>
      next(async (files) => {
        const release = files.hold(directoryName(sessionId), after);
        return () =>
          next(async () => {
            release();
            await dropFor(files, 0);
          });
      }),

    async *previous(sessionId, seq) {
      const path = await next(async (files) => files.path(directoryName(sessionId), seq));
      try {
        yield* readPrevious(path);
      } catch (error) {
        if (!isSystemError(error, 'ENOENT')) throw error;
        throw new NotFoundError(`The change log keeps no change ${seq} of session ${sessionId}.`);
      }
    },

    remove: (sessionId) => next((files) => files.forget(directoryName(sessionId))),
    sessions: () => next(async (files) => files.sessions().map(sessionIdOf)),
  };
}

/** A session's id as one safe name, from which it can be told again. */
function directoryName(sessionId: string): string {
  const name = /\p{Surrogate}/u.test(sessionId) ? '' : encodeURIComponent(sessionId).replaceAll('.', '%2E');
  if (name !== '' && name.length <= 200) return name;
  throw new InvalidRequestError(
    `The change log cannot keep anything for a session named ${JSON.stringify(sessionId)}.`,
  );
}

function sessionIdOf(directory: string): string {
  try {
    return decodeURIComponent(directory);
  } catch {
    return directory;
  }
}
