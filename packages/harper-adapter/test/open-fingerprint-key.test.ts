import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openFingerprintKey } from '../src/open-fingerprint-key.js';
import { temporaryFolder } from './support/temporary-folder.js';

async function setUp() {
  const root = await temporaryFolder();
  onTestFinished(() => root.remove());
  const folder = join(root.path, 'agent');
  return { folder, file: join(folder, 'fingerprint-key') };
}

describe('openFingerprintKey', () => {
  it('makes a key that only the server may read, once', async () => {
    const { folder, file } = await setUp();
    const key = await openFingerprintKey(folder);
    expect(Buffer.from(key, 'base64url')).toHaveLength(32);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await openFingerprintKey(folder)).toBe(key);
    expect(await readdir(folder)).toEqual(['fingerprint-key']);
    const { folder: other } = await setUp();
    expect(await openFingerprintKey(other)).not.toBe(key);
  });

  it('makes the same key for everyone who starts at the same moment', async () => {
    const { folder } = await setUp();
    const keys = await Promise.all(Array.from({ length: 8 }, () => openFingerprintKey(folder)));
    expect(new Set(keys).size).toBe(1);
    expect(await readdir(folder)).toEqual(['fingerprint-key']);
  });

  it.each(['', 'short', 'x'.repeat(200), `${'y'.repeat(42)}!`])(
    'refuses a file that holds no key (%j) and leaves it',
    async (text) => {
      const { folder, file } = await setUp();
      await mkdir(folder);
      await writeFile(file, text);
      await expect(openFingerprintKey(folder)).rejects.toThrow(
        /fingerprint-key' cannot be used: it holds .*Restore it/,
      );
      expect(await readFile(file, 'utf8')).toBe(text);
      expect(await readdir(folder)).toEqual(['fingerprint-key']);
    },
  );

  it('refuses what cannot be read, and a folder that cannot be made', async () => {
    const { folder, file } = await setUp();
    await mkdir(file, { recursive: true });
    await expect(openFingerprintKey(folder)).rejects.toThrow(/fingerprint-key' cannot be used/);
    const { folder: taken } = await setUp();
    await writeFile(taken, 'a file');
    await expect(openFingerprintKey(taken)).rejects.toThrow(/EEXIST|ENOTDIR/);
    expect(await readFile(taken, 'utf8')).toBe('a file');
  });

  it.skipIf(process.getuid?.() === 0)('refuses a key it may not read', async () => {
    const { folder, file } = await setUp();
    await openFingerprintKey(folder);
    await chmod(file, 0);
    await expect(openFingerprintKey(folder)).rejects.toThrow(/EACCES/);
  });
});
