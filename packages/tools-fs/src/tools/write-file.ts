import { ToolDeniedError, defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { encodeText } from '../text/encode-text.js';
import { expectedOrAbsentField, requireExpected } from './expected.js';
import { type ChangingToolParts, replaceEffect, pathField, rootField } from './where.js';

/** `write_file`: makes or replaces one file with exactly the content given, in one step. */
export function writeFileTool(parts: ChangingToolParts) {
  const { scope, changer, secrets, limits, showHash } = parts;
  return defineTool({
    name: 'write_file',
    description:
      `Creates a file or replaces the whole of it; missing folders are made. The bytes written are exactly the ` +
      `content: end the last line with a newline yourself. Up to ${limits.writeBytes} bytes. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file'),
      content: z.string().describe('The whole new content, as UTF-8 text.'),
      expected: expectedOrAbsentField(),
    }),
    effect: replaceEffect(parts),
    async execute(input, { sessionId, callId, signal }) {
      const place = await scope.locate(input.root, input.path, 'file');
      const content = await encodeText(input.content, place.label, limits.writeBytes);
      const unwritable = await secrets.unwritable(input.content);
      if (unwritable !== undefined)
        throw new ToolDeniedError(`${place.label} is not written: ${unwritable}.`);
      const allow = requireExpected(input.expected, place.label, showHash);
      const { before } = await changer.replace(
        place,
        async ({ state }) => {
          allow(state);
          return content;
        },
        { folders: input.expected === undefined || input.expected === 'absent' },
        { sessionId, callId, tool: 'write_file', signal },
      );
      const created = before.kind === 'absent';
      const was = before.kind === 'file' ? ` (was ${before.size})` : '';
      const hash = showHash(content.hash);
      return {
        text: `${created ? 'Created' : 'Replaced'} ${place.path} in ${place.root.name}: ${content.size} bytes${was}, hash ${hash}.`,
        data: {
          root: place.root.name,
          path: place.path,
          bytes: content.size,
          hash,
          created,
          ...(before.kind === 'file' ? { previousBytes: before.size } : {}),
        },
      };
    },
  });
}
