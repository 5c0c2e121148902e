import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pollUntil } from '../../../../e2e/src/support/poll-until.js';
import { isAlive } from '../support/is-alive.js';

const CHILD = fileURLToPath(new URL('../support/caretaker-child.mjs', import.meta.url));

describe('a caretaker', () => {
  it('ends what was watched or is followed, and removes the folder, when its process is killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'caretaker-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const child = spawn(process.execPath, ['--import', 'tsx', CHILD, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [said] = await once(child.stdout, 'data');
    const [watched = 0, forgotten = 0, followed = 0] = String(said).split(' ').map(Number);
    onTestFinished(() => void process.kill(forgotten, 'SIGKILL'));
    expect([watched, forgotten, followed].map(isAlive)).toEqual([true, true, true]);
    child.kill('SIGKILL');
    await pollUntil(
      async () => existsSync(folder),
      (isThere) => !isThere,
    );
    await pollUntil(
      async () => [watched, followed].some(isAlive),
      (some) => !some,
    );
    expect(isAlive(forgotten)).toBe(true);
  });
});
