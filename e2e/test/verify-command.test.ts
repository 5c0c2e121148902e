import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

function verify(...names: readonly string[]) {
  return new Promise<{ code: number; out: string; err: string }>((resolve) => {
    const file = fileURLToPath(new URL('../src/verify.ts', import.meta.url));
    const env = { ...process.env, HARPERDB_EULA: '' };
    execFile(process.execPath, ['--import', 'tsx', file, ...names], { env }, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

describe('npm run verify', () => {
  it('runs the item that is named, prints one line for it and exits 0', async () => {
    const { code, out } = await verify('V2');
    expect(out).toMatch(/^V2 ok describe_all called .*\n$/);
    expect(code).toBe(0);
  }, 60_000);

  it('exits 2 on an unknown name and tells the known ones', async () => {
    const { code, out, err } = await verify('V2', 'V9');
    expect(err).toContain('V9');
    expect(err).toContain('V1, V2, V3, V4, V5, V6, V7, V8');
    expect([code, out]).toEqual([2, '']);
  }, 30_000);

  it('exits 2 for HarperDB without its licence accepted and says what is needed, and for any other host', async () => {
    const harperDb = await verify('--host', 'harperdb', 'V2');
    expect(harperDb).toMatchObject({
      code: 2,
      out: '',
      err: expect.stringContaining('HARPERDB_EULA=accept'),
    });
    const other = await verify('--host', 'other', 'V2');
    expect(other).toMatchObject({ code: 2, out: '', err: expect.stringContaining('embedded, harperdb') });
  }, 30_000);
});
