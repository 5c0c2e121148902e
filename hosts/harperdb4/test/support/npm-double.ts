import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { onTestFinished, vi } from 'vitest';

/**
 * Puts a double of npm first on the path, and an empty cache in place, for one test. The double runs `source`, as a
 * module, where the real one would install; `folder` is for what it leaves there.
 */
export async function useNpmDouble(source: string) {
  const base = await mkdtemp(join(tmpdir(), 'npm-double-'));
  const cache = join(base, 'cache');
  onTestFinished(() => rm(base, { recursive: true }));
  const file = join(base, 'npm');
  await writeFile(join(base, 'npm.mjs'), source);
  await writeFile(file, `#!/bin/sh\nexec '${process.execPath}' '${join(base, 'npm.mjs')}' "$@"\n`);
  await chmod(file, 0o755);
  const environment = {
    HARPERDB_EULA: 'accept',
    XDG_CACHE_HOME: cache,
    PATH: `${base}${delimiter}${process.env['PATH'] ?? ''}`,
    NPM_DOUBLE: base,
  };
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  return { folder: base, cache: join(cache, 'harper-agent') };
}

/** Installs a program that is none, in the folder it runs in. */
export const INSTALLS = `
import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('node_modules/harperdb/bin', { recursive: true });
writeFileSync('node_modules/harperdb/bin/harperdb.js', '');
`;
