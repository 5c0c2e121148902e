import type { BigIntStats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { InvalidRequestError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { closeQuietly } from '../root/open-folder.js';
import { openFile } from '../root/open-file.js';
import { KIND_BYTES, fileKind } from '../text/file-kind.js';
import { hashOf, readChunks } from '../text/hash.js';
import type { FindFarLine } from '../text/find-line.js';
import { readBytes } from '../text/read-bytes.js';
import { readPage } from '../text/read-page.js';
import { noPageAnswer, notTextAnswer, pageAnswer } from './page-answer.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `read_file`: one page of a UTF-8 text file, exactly as it is, with how to go on. */
export function readFileTool({ scope, jail, secrets, limits, searcher, showHash }: FsToolParts) {
  const hash = (file: FileHandle, seen: BigIntStats, signal: AbortSignal) =>
    unchangedHash(file, seen, signal).then((found) => (found === undefined ? {} : { hash: showHash(found) }));
  const findFar: FindFarLine = (descriptor, line, signal) =>
    searcher.line({ descriptor, line, mostBytes: limits.scanBytes, milliseconds: limits.searchMs }, signal);
  return defineTool({
    name: 'read_file',
    description:
      `Reads a text file in pages of whole lines, up to ${limits.pageBytes} bytes each. The first line of the ` +
      `answer, in brackets, says which part it is and how to go on; the rest is the file as it is. A line longer ` +
      `than a page comes in parts, by offset. Of files that can be changed (up to ${limits.writeBytes} bytes) it gives ` +
      `the hash, which the tools that change files take as 'expected'. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file'),
      startLine: z.int().min(1).optional().describe('First line to read, counted from 1. Default 1.'),
      maxLines: z.int().min(1).optional().describe('Most lines to read. Default: as many as fit.'),
      offset: z.int().min(0).optional().describe('First byte to read, instead of startLine.'),
    }),
    effect: 'read',
    async execute(input, { signal }) {
      const { startLine = 1, offset } = input;
      if (input.startLine !== undefined && offset !== undefined) {
        throw new InvalidRequestError(
          `startLine ${startLine} and offset ${offset} exclude each other: give one.`,
        );
      }
      const place = await scope.locate(input.root, input.path, 'file');
      return jail.inParent(place, async (parent, name) => {
        const { file, size, stats } = await openFile(parent, name, place.label);
        try {
          const kind = fileKind(await readBytes(file, 0, KIND_BYTES));
          const hashed = place.root.mode === 'rw' && size <= limits.writeBytes;
          const subject = { place, size };
          if (!kind.text)
            return notTextAnswer(
              { ...subject, ...(hashed ? await hash(file, stats, signal) : {}) },
              kind.what,
            );
          const reach = secrets.reach();
          const page = await readPage(
            file,
            {
              start: offset === undefined ? { line: startLine } : { offset },
              maxLines: input.maxLines ?? Number.POSITIVE_INFINITY,
              maxBytes: limits.pageBytes,
              findFar,
              lookBack: reach.before,
              lookAhead: reach.after,
            },
            signal,
          );
          if (!('bytes' in page)) return noPageAnswer(subject, startLine, page);
          const firstLine = offset === undefined || offset === 0 ? startLine : undefined;
          // After the page, so that a file that changes meanwhile gets none.
          const known = hashed ? await hash(file, stats, signal) : {};
          return pageAnswer({ ...subject, ...known }, page, firstLine, secrets);
        } finally {
          await closeQuietly(file);
        }
      });
    },
  });
}

/** The hash of an open file, unless it is written to meanwhile. */
async function unchangedHash(
  file: FileHandle,
  seen: BigIntStats,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await hashOf(readChunks(file, signal));
  const now = await file.stat({ bigint: true });
  return now.mtimeNs === seen.mtimeNs && now.size === seen.size ? found.hash : undefined;
}
