import { constants } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { z } from 'zod';
import { serveJobs } from './measured.js';

const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;
const inputSchema = z.object({ file: z.string(), startLine: z.number().default(1), lines: z.number() });

/** What a careful loop does by hand, without a jail, limits or an answer: the least it can take. */
serveJobs({
  async tail(input) {
    const { file, lines } = inputSchema.parse(input);
    const handle = await open(file);
    try {
      return await lastLines(handle, (await handle.stat()).size, lines);
    } finally {
      await handle.close();
    }
  },
  /** The same with the calls by which nothing on the way, below the folder above the file's own, can be a link. */
  async tailInJail(input) {
    const { file, lines } = inputSchema.parse(input);
    const folder = dirname(file);
    const opened = [await open(dirname(folder), FOLDER)];
    try {
      opened.push(await open(inside(opened, basename(folder)), FOLDER | constants.O_NOFOLLOW));
      const path = inside(opened, basename(file));
      if (!(await lstat(path)).isFile()) throw new Error(`${file} is no file`);
      const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
      opened.push(handle);
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Error(`${file} is no file`);
      return await lastLines(handle, stats.size, lines);
    } finally {
      await Promise.all(opened.map((handle) => handle.close()));
    }
  },
  async read(input) {
    const { file, startLine, lines } = inputSchema.parse(input);
    const handle = await open(file);
    try {
      const block = Buffer.allocUnsafe(BLOCK);
      let newlines = 0;
      for (let position = 0; ; position += BLOCK) {
        const { bytesRead } = await handle.read(block, 0, BLOCK, position);
        if (bytesRead === 0) return 0;
        const bytes = block.subarray(0, bytesRead);
        for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
          if (++newlines !== startLine - 1) continue;
          const page = Buffer.allocUnsafe(BLOCK);
          const { bytesRead: filled } = await handle.read(page, 0, BLOCK, position + at + 1);
          return page.toString('utf8', 0, filled).split('\n').slice(0, lines).length;
        }
      }
    } finally {
      await handle.close();
    }
  },
});

const FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;

function inside(opened: readonly FileHandle[], name: string): string {
  return `/proc/self/fd/${opened.at(-1)?.fd}/${name}`;
}

async function lastLines(handle: FileHandle, size: number, lines: number): Promise<number> {
  let bytes = Buffer.alloc(0);
  for (let end = size; end > 0 && count(bytes) <= lines; end -= BLOCK) {
    const start = Math.max(0, end - BLOCK);
    const block = Buffer.allocUnsafe(end - start);
    await handle.read(block, 0, block.length, start);
    bytes = Buffer.concat([block, bytes]);
  }
  return (
    bytes
      .toString('utf8')
      .split('\n')
      .slice(-lines - 1).length - 1
  );
}

function count(bytes: Buffer): number {
  let newlines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) newlines++;
  return newlines;
}
