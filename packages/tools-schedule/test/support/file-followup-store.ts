import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Followup, FollowupStore } from '@harperfast/agent-core/contracts';

const stored = z.custom<Followup>(
  (value) => typeof value === 'object' && value !== null && 'revision' in value,
);

/** A `FollowupStore` of one file a followup, written, flushed and renamed: what it holds survives a SIGKILL. For one process. */
export function createFileFollowupStore(folder: string): FollowupStore {
  let last: Promise<unknown> = Promise.resolve();
  const pathOf = (id: string) => join(folder, `${encodeURIComponent(id)}.json`);
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
  const read = async (id: string): Promise<Followup | undefined> => {
    try {
      return stored.parse(JSON.parse(await readFile(pathOf(id), 'utf8')));
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
      throw error;
    }
  };
  return {
    list: () =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true });
        const names = (await readdir(folder)).filter((name) => name.endsWith('.json'));
        const rows = await Promise.all(
          names.map((name) => read(decodeURIComponent(name.slice(0, -'.json'.length)))),
        );
        return rows.filter((row) => row !== undefined);
      }),
    write: (followup, expected) =>
      inTurn(async () => {
        await mkdir(folder, { recursive: true });
        if (((await read(followup.id))?.revision ?? 0) !== expected) return false;
        const file = await open(`${pathOf(followup.id)}.new`, 'w');
        await file.writeFile(JSON.stringify(followup));
        await file.sync();
        await file.close();
        await rename(`${pathOf(followup.id)}.new`, pathOf(followup.id));
        return true;
      }),
    delete: (id) => inTurn(() => rm(pathOf(id), { force: true })),
  };
}
