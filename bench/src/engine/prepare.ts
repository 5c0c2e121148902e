import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../run-program.js';

const bench = fileURLToPath(new URL('../..', import.meta.url));
const peers = join(bench, 'peers');
const marker = join(peers, 'node_modules', '.installed');

/** Installs the peers when their lock changed since the last time, and builds the measured programs. */
export async function prepare(say: (line: string) => void): Promise<void> {
  const wanted = await wantedInstallation();
  const found = await readFile(marker, 'utf8').catch(() => '');
  if (found !== wanted) {
    say('installing the peers (once; about a minute)');
    await runProgram('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], peers);
    say('building SQLite (once; one to two minutes where no binary is to be had)');
    await runProgram(
      'npm',
      ['rebuild', 'better-sqlite3', '--ignore-scripts=false', '--loglevel=error'],
      peers,
    );
    await writeFile(marker, wanted);
  }
  say('building the measured programs');
  await buildPrograms();
  await runProgram('tsup', ['--config', 'peers/tsup.config.ts'], bench);
}

/** Builds the measured programs that need no peers. */
export function buildPrograms(): Promise<void> {
  return runProgram('tsup', [], bench);
}

/** The lock, and the Node the native addon was built for. */
async function wantedInstallation(): Promise<string> {
  const lock = await readFile(join(peers, 'package-lock.json'));
  const { modules } = process.versions;
  return createHash('sha256')
    .update(lock)
    .update(`${process.platform} ${process.arch} ${modules}`)
    .digest('hex');
}
