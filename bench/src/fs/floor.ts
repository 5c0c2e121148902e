import { open } from 'node:fs/promises';
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
      const { size } = await handle.stat();
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
    } finally {
      await handle.close();
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

function count(bytes: Buffer): number {
  let newlines = 0;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) newlines++;
  return newlines;
}
