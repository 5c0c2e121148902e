import { appendFile, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fileReader } from '../../src/text/file-reader.js';

async function openFile(content: string) {
  const folder = await mkdtemp(join(tmpdir(), 'file-reader-'));
  const path = join(folder, 'file');
  await writeFile(path, content);
  const file = await open(path);
  onTestFinished(async () => {
    await file.close();
    await rm(folder, { recursive: true });
  });
  return { path, file };
}

describe('fileReader', () => {
  const content = Array.from({ length: 300 }, (_, index) => `${index} `).join('');

  it.each([1, 64, 5_000])(
    'gives any stretch of the file, whether it has %d bytes of it ready or not',
    async (ahead) => {
      const { file } = await openFile(content);
      const reader = fileReader(file, content.length, ahead);
      for (const [position, length] of [
        [0, 10],
        [0, 64],
        [60, 10],
        [64, 200],
        [0, 10_000],
        [content.length - 3, 50],
        [content.length, 9],
        [content.length + 7, 9],
      ] as const) {
        const bytes = await reader.read(position, length);
        expect(bytes.toString(), `${length} from ${position}`).toBe(
          content.slice(position, position + length),
        );
      }
    },
  );

  it('knows the file as it was when it was opened, and reads a small one only once', async () => {
    const { file, path } = await openFile('before');
    const small = fileReader(file, 6, 64);
    const large = fileReader(file, 6, 2);
    expect((await small.read(0, 64)).toString()).toBe('before');
    await writeFile(path, 'behind');
    await appendFile(path, ' and more');
    expect((await small.read(2, 64)).toString()).toBe('fore');
    expect((await large.read(0, 64)).toString()).toBe('behind');
  });

  it('gives what is left of a file that became shorter', async () => {
    const { file, path } = await openFile('before');
    await writeFile(path, 'be');
    expect((await fileReader(file, 6, 64).read(1, 64)).toString()).toBe('e');
    expect((await fileReader(file, 6, 0).read(1, 64)).toString()).toBe('e');
  });

  it.runIf(process.platform === 'linux')(
    'reads files that the system makes up, although they say they are empty',
    async () => {
      const file = await open('/proc/self/status');
      onTestFinished(() => file.close());
      const { size } = await file.stat();
      expect(size).toBe(0);
      expect((await fileReader(file, size, 16).read(0, 5)).toString()).toBe('Name:');
      expect((await fileReader(file, size, 16).read(0, 4_000)).toString()).toContain('Threads:');
    },
  );
});
