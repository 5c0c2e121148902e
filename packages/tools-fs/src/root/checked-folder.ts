import type { BigIntStats } from 'node:fs';
import { lstat, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Folder } from './folder.js';

/**
 * A folder known by its resolved path, for systems without `/proc/self/fd`. What is opened is compared with what
 * stands there, and the path is resolved again. It stops every link that stands still; another process that swaps
 * folders in the middle of a call can be missed, which only descriptors rule out.
 */
export async function openCheckedFolder(path: string): Promise<Folder> {
  const opened = await lstat(path, { bigint: true });
  if (opened.isSymbolicLink()) throw refusal('ELOOP', 'a link stands where a folder was asked for');
  if (!opened.isDirectory()) throw refusal('ENOTDIR', 'a file stands where a folder was asked for');
  const resolved = await realpath(path);
  if (dirname(resolved) !== dirname(path)) throw refusal('ELOOP', 'the folder was swapped during the call');
  async function unmoved(): Promise<boolean> {
    return (await realpath(path)) === resolved && same(await lstat(path, { bigint: true }), opened);
  }
  return {
    hold: 'check',
    self: path,
    reach: (name) => join(path, name),
    async enter(name) {
      const inner = await openCheckedFolder(join(path, name));
      if (!(await unmoved())) throw refusal('ELOOP', 'the folder was swapped during the call');
      return inner;
    },
    async confirm(name, stats) {
      return (await unmoved()) && same(await lstat(join(path, name), { bigint: true }), stats);
    },
    sync: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

function same(one: BigIntStats, other: BigIntStats): boolean {
  return one.ino === other.ino && one.dev === other.dev;
}

function refusal(code: string, message: string): Error {
  return Object.assign(new Error(message), { code, syscall: 'open' });
}
