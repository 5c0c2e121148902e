import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Not the system's folder for temporary files: that may be memory, where a flush costs nothing.
const parent = fileURLToPath(new URL('../../node_modules/.cache', import.meta.url));

/** Makes an empty folder on the disk the workspace is on, hands it to `work`, and removes it. */
export async function withDataFolder<Result>(work: (folder: string) => Promise<Result>): Promise<Result> {
  await mkdir(parent, { recursive: true });
  const folder = await mkdtemp(join(parent, 'bench-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
