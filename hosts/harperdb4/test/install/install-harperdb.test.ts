import { spawn } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { pollUntil } from '../../../../e2e/src/support/poll-until.js';
import { installHarperDb } from '../../src/install/install-harperdb.js';
import { requireAcceptance } from '../../src/install/require-acceptance.js';
import { startHarperDb } from '../../src/start-harperdb.js';
import { isAlive } from '../support/is-alive.js';
import { INSTALLS, useNpmDouble } from '../support/npm-double.js';

const FOLDER = 'harperdb-4.7.29';

afterEach(() => vi.unstubAllEnvs());

describe('without the acceptance of its licence HarperDB', () => {
  it.each([undefined, '', 'yes', 'ACCEPT'])(
    'is refused with HARPERDB_EULA=%s, and it is told what to do',
    (value) => {
      expect(() => requireAcceptance({ HARPERDB_EULA: value })).toThrow(
        /evaluation licence.*HARPERDB_EULA=accept/,
      );
    },
  );

  it('is neither installed nor started', async () => {
    const cache = await mkdtemp(join(tmpdir(), 'no-harperdb-'));
    onTestFinished(() => rm(cache, { recursive: true }));
    vi.stubEnv('XDG_CACHE_HOME', cache);
    vi.stubEnv('HARPERDB_EULA', '');
    const said: string[] = [];
    await expect(installHarperDb((line) => said.push(line))).rejects.toMatchObject({
      name: 'LicenceNotAccepted',
    });
    await expect(startHarperDb({}, (line) => said.push(line))).rejects.toMatchObject({
      name: 'LicenceNotAccepted',
    });
    expect([await readdir(cache), said]).toEqual([[], []]);
  });
});

describe('with it HarperDB', () => {
  it('is let in', () => {
    expect(() => requireAcceptance({ HARPERDB_EULA: 'accept' })).not.toThrow();
  });

  it('is installed once, which is told, and never in parts', async () => {
    const { cache } = await useNpmDouble(INSTALLS);
    const said: string[] = [];
    const program = await installHarperDb((line) => said.push(line));
    expect([program, existsSync(program)]).toEqual([
      join(cache, FOLDER, 'node_modules/harperdb/bin/harperdb.js'),
      true,
    ]);
    expect(await installHarperDb((line) => said.push(line))).toBe(program);
    expect(said).toEqual([expect.stringContaining('Installing harperdb@4.7.29')]);
    expect(await readdir(cache)).toEqual([FOLDER]);
  });

  it('is installed anew over a folder that lacks its program', async () => {
    const { cache } = await useNpmDouble(INSTALLS);
    await mkdir(join(cache, FOLDER, 'node_modules'), { recursive: true });
    expect(existsSync(await installHarperDb(() => undefined))).toBe(true);
  });

  it('is not there after npm has failed, which says why', async () => {
    const { cache } = await useNpmDouble(
      `${INSTALLS}\nconsole.error('npm error network refused');\nprocess.exit(7);`,
    );
    await expect(installHarperDb(() => undefined)).rejects.toThrow(/code 7:\nnpm error network refused/);
    expect(await readdir(cache)).toEqual([]);
  });

  it('is installed by scripts of nobody, with the registry of who runs it and none of their keys', async () => {
    const { folder } = await useNpmDouble(
      `${INSTALLS}\nwriteFileSync(process.env.NPM_DOUBLE + '/seen', JSON.stringify([process.argv.slice(2), process.env]));`,
    );
    vi.stubEnv('ANTHROPIC_API_KEY', 'not-for-npm');
    vi.stubEnv('npm_config_registry', 'http://127.0.0.1:1/');
    vi.stubEnv('npm_config_prefix', '/elsewhere');
    await installHarperDb(() => undefined);
    const text = await readFile(join(folder, 'seen'), 'utf8');
    const [args, environment] = z
      .tuple([z.array(z.string()), z.record(z.string(), z.string())])
      .parse(JSON.parse(text));
    expect(args).toContain('--ignore-scripts');
    expect(environment).toMatchObject({ npm_config_registry: 'http://127.0.0.1:1/' });
    expect(environment).not.toHaveProperty('npm_config_prefix');
    expect(text).not.toContain('not-for-npm');
  });

  it('stays what the first of two runs has installed, for both', async () => {
    // Each waits for the other, so that both install.
    const { folder, cache } = await useNpmDouble(`${INSTALLS}
      import { existsSync, readdirSync } from 'node:fs';
      import { setTimeout } from 'node:timers/promises';
      const { NPM_DOUBLE } = process.env;
      writeFileSync(NPM_DOUBLE + '/here-' + process.pid, '');
      const count = () => readdirSync(NPM_DOUBLE).filter((name) => name.startsWith('here-')).length;
      while (count() < 2) await setTimeout(10);
    `);
    const programs = await Promise.all(
      [1, 2].map(async () => {
        const program = await installHarperDb(() => undefined);
        return { program, ino: statSync(program).ino };
      }),
    );
    expect(programs[1]).toEqual(programs[0]);
    expect((await readdir(folder)).filter((name) => name.startsWith('here-'))).toHaveLength(2);
    expect(await readdir(cache)).toEqual([FOLDER]);
  });

  it('leaves no process and nothing in the cache when whoever installs it is killed', async () => {
    const { folder, cache } = await useNpmDouble(`${INSTALLS}
      writeFileSync(process.env.NPM_DOUBLE + '/pid', String(process.pid));
      setInterval(() => {}, 1e6);
    `);
    const file = fileURLToPath(new URL('../support/install-child.mjs', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', file], { stdio: 'ignore' });
    const npm = await pollUntil(
      async () => Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => '')),
      (pid) => pid > 1,
    );
    expect([isAlive(npm), await readdir(cache)]).toEqual([true, [expect.stringContaining(`${FOLDER}-`)]]);
    child.kill('SIGKILL');
    await pollUntil(
      () => readdir(cache),
      (names) => names.length === 0,
    );
    await pollUntil(
      async () => isAlive(npm),
      (alive) => !alive,
    );
  });
});
