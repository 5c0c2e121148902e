import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { installHarperDb } from '../../src/install/install-harperdb.js';
import { requireAcceptance } from '../../src/install/require-acceptance.js';
import { startHarperDb } from '../../src/start-harperdb.js';

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

describe('with it', () => {
  it('HarperDB is let in', () => {
    expect(() => requireAcceptance({ HARPERDB_EULA: 'accept' })).not.toThrow();
  });
});
