import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AgentError } from '@harperfast/agent-core/contracts';
import { isSystemError } from '../root/fs-error.js';
import { type Change, changeSchema } from './change.js';

/** Longer than the longest header: two paths of 4096 characters, escaped. */
const HEADER_BYTES = 64 * 1024;
const CHUNK = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * Writes a change and the content it takes away to a file of its own: one line of JSON, then the bytes. The file has
 * its name only when it is whole and durable. Resolves with its size.
 */
export async function writeChangeFile(
  path: string,
  change: Change,
  previous: AsyncIterable<Uint8Array> | undefined,
): Promise<number> {
  const draft = `${path}.tmp`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(change)}\n`);
    for await (const piece of previous ?? []) await file.writeFile(piece);
    await file.sync();
    const { size } = await file.stat();
    await file.close();
    await rename(draft, path);
    await syncFolder(dirname(path));
    return size;
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/** The change at the beginning of a file. Throws where it is none. */
export async function readChangeFile(path: string): Promise<Change> {
  const file = await open(path, 'r');
  try {
    return (await readHeader(file, path)).change;
  } finally {
    await file.close();
  }
}

/** The content behind the change of a file. */
export async function* readPrevious(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r');
  try {
    let { end: position } = await readHeader(file, path);
    for (;;) {
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(CHUNK), 0, CHUNK, position);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}

async function readHeader(file: FileHandle, path: string): Promise<{ change: Change; end: number }> {
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(HEADER_BYTES), 0, HEADER_BYTES, 0);
  const line = buffer.subarray(0, bytesRead).indexOf(NEWLINE);
  try {
    return { change: changeSchema.parse(JSON.parse(buffer.toString('utf8', 0, line))), end: line + 1 };
  } catch (error) {
    throw new AgentError('change_log_damaged', `The change log's file '${path}' cannot be read.`, {
      cause: error,
    });
  }
}

/** Makes the names in a folder durable, where the system can. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const folder = await open(path, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (error) {
    // Windows opens no folders.
    if (!isSystemError(error, 'EISDIR') && !isSystemError(error, 'EPERM')) throw error;
  }
}
