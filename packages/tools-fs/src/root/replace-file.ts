import { randomBytes } from 'node:crypto';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, rename, unlink } from 'node:fs/promises';
import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import type { Folder } from './folder.js';
import { isSystemError } from './fs-error.js';
import { requireRegular, swapped } from './open-file.js';
import { closeQuietly } from './open-folder.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** What a write replaced: the size of the file before, or nothing where it is new. */
export interface Replaced {
  readonly previousBytes?: number;
}

/**
 * Puts `bytes` in place of the file in one step: a reader sees the old content or the new, also after a crash. An
 * existing file keeps its permissions; one without any write permission is refused. A link is refused, not written
 * through.
 */
export async function replaceFile(
  folder: Folder,
  name: string,
  bytes: Uint8Array,
  label: string,
  signal: AbortSignal,
): Promise<Replaced> {
  const existing = await lookAt(folder, name, label);
  const draft = `.agent-write-${randomBytes(8).toString('hex')}.tmp`;
  signal.throwIfAborted();
  const file = await open(folder.reach(draft), CREATE, existing === undefined ? 0o666 : 0o600);
  try {
    await fill(file, bytes, existing, async (stats) => {
      if (!(await folder.confirm(draft, stats))) throw swapped(label);
    });
    signal.throwIfAborted();
    await rename(folder.reach(draft), folder.reach(name));
  } catch (error) {
    await unlink(folder.reach(draft)).catch(() => undefined);
    throw error;
  }
  await folder.sync();
  return existing === undefined ? {} : { previousBytes: Number(existing.size) };
}

async function lookAt(folder: Folder, name: string, label: string): Promise<BigIntStats | undefined> {
  let stats: BigIntStats;
  try {
    stats = await lstat(folder.reach(name), { bigint: true });
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  requireRegular(stats, label);
  if ((stats.mode & 0o222n) === 0n) {
    throw new ToolDeniedError(`${label} has no write permission (mode ${permissions(stats).toString(8)}).`);
  }
  return stats;
}

async function fill(
  file: FileHandle,
  bytes: Uint8Array,
  existing: BigIntStats | undefined,
  check: (stats: BigIntStats) => Promise<void>,
): Promise<void> {
  try {
    await check(await file.stat({ bigint: true }));
    await file.writeFile(bytes);
    if (existing !== undefined) await file.chmod(permissions(existing));
    await file.sync();
  } finally {
    await closeQuietly(file);
  }
}

function permissions(stats: BigIntStats): number {
  return Number(stats.mode & 0o777n);
}
