import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Caretaker } from '../process/caretaker.js';
import { startCaretaker, unusedName } from '../process/caretaker.js';
import { npmEnvironment } from '../process/environment.js';
import { requireAcceptance } from './require-acceptance.js';

const VERSION = '4.7.29';
const INSTALL_MS = 600_000;
const LAST_CHARACTERS = 2_000;
/** None of its packages needs its install script. Without a network npm says so in half a minute, not after two. */
const FLAGS = [
  '--no-audit',
  '--no-fund',
  '--ignore-scripts',
  '--fetch-retry-mintimeout=1000',
  '--fetch-retry-maxtimeout=10000',
];

/** Tells a person what takes a while. */
export type Say = (line: string) => void;

/**
 * Installs HarperDB with npm into the user's cache, outside of any project, unless it is there; resolves with the path
 * of its program. Rejects with `LicenceNotAccepted` before it does anything, and with npm's words where npm fails.
 */
export async function installHarperDb(say: Say): Promise<string> {
  requireAcceptance();
  const folder = join(cacheFolder(), `harperdb-${VERSION}`);
  const program = join(folder, 'node_modules', 'harperdb', 'bin', 'harperdb.js');
  if (existsSync(program)) return program;
  say(`Installing harperdb@${VERSION} into ${folder}, once …`);
  await mkdir(dirname(folder), { recursive: true });
  // Under its name only when it is complete: another run may be looking, or this one may be cut off.
  const unfinished = unusedName(`${folder}-`);
  const caretaker = startCaretaker(unfinished);
  try {
    await mkdir(unfinished);
    await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
    await npmInstall(unfinished, caretaker);
    // Another run that was quicker may be at work in there already.
    if (!existsSync(program)) await rm(folder, { recursive: true, force: true });
    await rename(unfinished, folder).catch((error: unknown) => {
      if (!existsSync(program)) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    caretaker.dismiss();
  }
  return program;
}

function cacheFolder(): string {
  const configured = process.env['XDG_CACHE_HOME'] ?? '';
  return join(isAbsolute(configured) ? configured : join(homedir(), '.cache'), 'harper-agent');
}

function npmInstall(cwd: string, caretaker: Caretaker): Promise<void> {
  return new Promise((resolve, reject) => {
    const npm = spawn('npm', ['install', `harperdb@${VERSION}`, ...FLAGS], {
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: npmEnvironment(),
      timeout: INSTALL_MS,
    });
    if (npm.pid !== undefined) caretaker.watch(npm.pid);
    let said = '';
    const hear = (text: Buffer): void => void (said = (said + text.toString('utf8')).slice(-LAST_CHARACTERS));
    npm.stdout.on('data', hear);
    npm.stderr.on('data', hear);
    npm.once('error', reject);
    npm.once('close', (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new Error(`npm install harperdb@${VERSION} ended with ${signal ?? `code ${code}`}:\n${said}`));
    });
  });
}
