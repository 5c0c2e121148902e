import { InvalidRequestError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { KIND_BYTES, fileKind } from '../text/file-kind.js';
import { fileReader } from '../text/file-reader.js';
import { hashOf, inPieces, readChunks } from '../text/hash.js';
import { pageWindow, readPage } from '../text/read-page.js';
import { noPageAnswer, notTextAnswer, pageAnswer } from './page-answer.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `read_file`: one page of a UTF-8 text file, exactly as it is, with how to go on. */
export function readFileTool({ scope, jail, secrets, limits, searcher, showHash }: FsToolParts) {
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
      return jail.withFile(place, async ({ file, size, stats }) => {
        const { before: lookBack, after: lookAhead } = secrets.reach();
        const bounds = { maxBytes: limits.pageBytes, lookBack, lookAhead };
        const ahead = Math.max(KIND_BYTES, pageWindow(bounds));
        const reader = fileReader(file, size, ahead);
        const subject = { place, size };

        /** The hash of a file that can be changed, unless it is written to meanwhile. */
        async function hash(): Promise<{ hash?: string }> {
          if (place.root.mode === 'r' || size > limits.writeBytes) return {};
          const known = size > 0 && size <= ahead;
          const content = known ? inPieces(await reader.read(0, size)) : readChunks(file, signal);
          const { hash: found } = await hashOf(content);
          const now = await file.stat({ bigint: true });
          const same = now.mtimeNs === stats.mtimeNs && now.size === stats.size;
          return same ? { hash: showHash(found) } : {};
        }

        const kind = fileKind(await reader.read(0, KIND_BYTES));
        if (!kind.text) return notTextAnswer({ ...subject, ...(await hash()) }, kind.what);
        const { scanBytes: mostBytes, searchMs: milliseconds } = limits;
        const page = await readPage(
          reader,
          {
            ...bounds,
            start: offset === undefined ? { line: startLine } : { offset },
            maxLines: input.maxLines ?? Number.POSITIVE_INFINITY,
            findFar: (line) => searcher.line({ descriptor: file.fd, line, mostBytes, milliseconds }, signal),
          },
          signal,
        );
        if (!('bytes' in page)) return noPageAnswer(subject, startLine, page);
        const firstLine = offset === undefined || offset === 0 ? startLine : undefined;
        // After the page, so that a file that changes meanwhile gets none.
        return pageAnswer({ ...subject, ...(await hash()) }, page, firstLine, secrets);
      });
    },
  });
}
