import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findFarLine } from '../../src/search/find-far-line.js';
import { fileReader } from '../../src/text/file-reader.js';
import { findLine } from '../../src/text/find-line.js';

async function openText(text: string) {
  const folder = await mkdtemp(join(tmpdir(), 'find-line-'));
  await writeFile(join(folder, 'file'), text);
  const file = await open(join(folder, 'file'));
  onTestFinished(async () => {
    await file.close();
    await rm(folder, { recursive: true });
  });
  const search = { mostBytes: Number.MAX_SAFE_INTEGER, milliseconds: 60_000 };
  let far = 0;
  const find = (line: number) =>
    findLine(fileReader(file, Buffer.byteLength(text), 1024), line, async () => {
      far++;
      return findFarLine({ kind: 'line', descriptor: file.fd, line, ...search });
    });
  return { find, farSearches: () => far };
}

describe('findLine', () => {
  const lines = Array.from({ length: 9_000 }, (_, index) => `${'x'.repeat((index * 37) % 90)}ä\n`);
  const offsets = [0];
  for (const line of lines) offsets.push((offsets.at(-1) ?? 0) + Buffer.byteLength(line));

  it('finds where a line begins, near or far, on both sides of a border between chunks', async () => {
    const { find, farSearches } = await openText(lines.join(''));
    const border = offsets.findIndex((offset) => offset > 256 * 1024);
    for (const line of [1, 2, 3, border - 1, border, border + 1, border + 2, 8_999, 9_000, 9_001]) {
      expect(await find(line), `line ${line}`).toEqual({ offset: offsets[line - 1] });
    }
    expect(farSearches()).toBe(5);
    expect(await find(9_002)).toEqual({ totalLines: 9_000 });
  });

  it('counts a last line without a line break', async () => {
    expect(await (await openText('a\nb')).find(5)).toEqual({ totalLines: 2 });
    expect(await (await openText('')).find(5)).toEqual({ totalLines: 0 });
    expect(await (await openText(`${lines.join('')}end`)).find(20_000)).toEqual({ totalLines: 9_001 });
  });

  it('says how far it came when the bytes are over', async () => {
    const { find } = await openText(lines.join(''));
    expect(await find(2)).toEqual({ offset: offsets[1] });
    const file = await open('/dev/null');
    onTestFinished(() => file.close());
    expect(
      findFarLine({ kind: 'line', descriptor: file.fd, line: 9, mostBytes: 0, milliseconds: 9 }),
    ).toEqual({
      scanned: 0,
      line: 1,
    });
  });
});
