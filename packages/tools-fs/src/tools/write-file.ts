import { InvalidRequestError, ToolDeniedError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { replaceFile } from '../root/replace-file.js';
import { holdsPrivateKey } from '../root/secrets.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `write_file`: makes or replaces one file with exactly the content given, in one step. */
export function writeFileTool({ scope, jail, limits }: FsToolParts) {
  return defineTool({
    name: 'write_file',
    description:
      `Creates a file or replaces the whole of it; missing folders are made. The bytes written are exactly the ` +
      `content: end the last line with a newline yourself. Up to ${limits.writeBytes} bytes. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file'),
      content: z.string().describe('The whole new content, as UTF-8 text.'),
    }),
    effect: 'write',
    async execute(input, { signal }) {
      const place = await scope.locate(input.root, input.path, 'file');
      const bytes = encode(input.content, place.label, limits.writeBytes);
      const { previousBytes } = await jail.inParentToWrite(place, (parent, name) =>
        replaceFile(parent, name, bytes, place.label, signal),
      );
      const did = previousBytes === undefined ? 'Created' : 'Replaced';
      const was = previousBytes === undefined ? '' : ` (was ${previousBytes})`;
      return {
        text: `${did} ${place.path} in ${place.root.name}: ${bytes.length} bytes${was}.`,
        data: {
          root: place.root.name,
          path: place.path,
          bytes: bytes.length,
          created: previousBytes === undefined,
          ...(previousBytes === undefined ? {} : { previousBytes }),
        },
      };
    },
  });
}

function encode(content: string, label: string, limit: number): Buffer {
  const size = Buffer.byteLength(content);
  if (size > limit) {
    throw new InvalidRequestError(
      `${label}: the content has ${size} bytes, the limit is ${limit}. Nothing was written.`,
      {
        statusCode: 413,
      },
    );
  }
  if (/\p{Surrogate}/u.test(content)) {
    throw new InvalidRequestError(
      `${label}: the content holds half of a character (a lone surrogate), which UTF-8 cannot carry. Nothing was written.`,
    );
  }
  if (holdsPrivateKey(content)) {
    throw new ToolDeniedError(`${label}: the content holds a private key (PEM), which no tool writes.`);
  }
  return Buffer.from(content);
}
