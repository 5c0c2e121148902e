import { InvalidRequestError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { closeQuietly } from '../root/open-folder.js';
import { openFile } from '../root/open-file.js';
import { KEY_REACH } from '../root/secrets.js';
import { KIND_BYTES, fileKind } from '../text/file-kind.js';
import { readBytes } from '../text/read-bytes.js';
import { readPage } from '../text/read-page.js';
import { noPageAnswer, notTextAnswer, pageAnswer } from './page-answer.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `read_file`: one page of a UTF-8 text file, exactly as it is, with how to go on. */
export function readFileTool({ scope, jail, limits }: FsToolParts) {
  return defineTool({
    name: 'read_file',
    description:
      `Reads a text file in pages of whole lines, up to ${limits.pageBytes} bytes each. The first line of the ` +
      `answer, in brackets, says which part it is and how to go on; the rest is the file as it is. A line longer ` +
      `than a page comes in parts, by offset. ${scope.summary}`,
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
        const { file, size } = await openFile(parent, name, place.label);
        try {
          const kind = fileKind(await readBytes(file, 0, KIND_BYTES));
          if (!kind.text) return notTextAnswer({ place, size }, kind.what);
          const page = await readPage(
            file,
            {
              start: offset === undefined ? { line: startLine } : { offset },
              maxLines: input.maxLines ?? Number.POSITIVE_INFINITY,
              maxBytes: limits.pageBytes,
              scanBytes: limits.scanBytes,
              lookBack: KEY_REACH,
            },
            signal,
          );
          if (!('bytes' in page)) return noPageAnswer({ place, size }, startLine, page);
          const firstLine = offset === undefined || offset === 0 ? startLine : undefined;
          return pageAnswer({ place, size }, page, firstLine);
        } finally {
          await closeQuietly(file);
        }
      });
    },
  });
}
