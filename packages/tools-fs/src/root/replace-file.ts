import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, unlink } from 'node:fs/promises';
import { AgentError } from '@harperfast/agent-core/contracts';
import { draftName } from './draft-name.js';
import { requireUnchanged } from './entry-stats.js';
import type { Folder } from './folder.js';
import { swapped } from './open-file.js';
import { closeQuietly } from './open-folder.js';
import { removeLeftoversOnce } from './remove-leftovers.js';
import { verified } from '../text/hash.js';

const CREATE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);

/** The whole new content of a file, and how it replaces what is there. */
export interface Replacement {
  readonly content: AsyncIterable<Uint8Array>;
  /** SHA-256 of the content: where it turns out to be another one, nothing is replaced. */
  readonly hash: string;
  /** Permission bits; left out, those that new files get. */
  readonly mode: number | undefined;
  /** What stands at the name, as it was seen when the replacement was decided. */
  readonly existing: BigIntStats | undefined;
  /** Awaited when the new content is durable beside the old one; answers what to do where it does not take its place. */
  readonly ready: () => Promise<() => Promise<void>>;
}

/**
 * Puts new content in place of a file in one step: a reader sees the old content or the new, also after a crash.
 * Throws `ConflictError` when the file changed since `existing` was seen. A link is refused, not written through.
 */
export async function replaceFile(
  folder: Folder,
  name: string,
  replacement: Replacement,
  label: string,
  signal: AbortSignal,
): Promise<void> {
  const draft = draftName();
  signal.throwIfAborted();
  await removeLeftoversOnce(folder);
  let giveUp = (): Promise<unknown> => Promise.resolve();
  const file = await open(folder.reach(draft), CREATE, replacement.mode === undefined ? 0o666 : 0o600);
  try {
    await fill(file, replacement, label, async (stats) => {
      if (!(await folder.confirm(draft, stats))) throw swapped(label);
    });
    signal.throwIfAborted();
    giveUp = await replacement.ready();
    await requireUnchanged(folder, name, replacement.existing, label);
    await rename(folder.reach(draft), folder.reach(name));
  } catch (error) {
    await unlink(folder.reach(draft)).catch(() => undefined);
    await giveUp();
    throw error;
  }
  await folder.sync();
}

async function fill(
  file: FileHandle,
  { content, hash, mode }: Replacement,
  label: string,
  check: (stats: BigIntStats) => Promise<void>,
): Promise<void> {
  try {
    await check(await file.stat({ bigint: true }));
    for await (const piece of verified(content, hash, () => damaged(label))) await file.writeFile(piece);
    if (mode !== undefined) await file.chmod(mode);
    await file.sync();
  } finally {
    await closeQuietly(file);
  }
}

function damaged(label: string): AgentError {
  return new AgentError(
    'content_damaged',
    `${label}: the content to write is not what it was. Nothing was changed.`,
  );
}
