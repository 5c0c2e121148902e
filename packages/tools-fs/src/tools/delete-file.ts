import { defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { expectedField, requireExpected } from './expected.js';
import { type ChangingToolParts, pathField, rootField } from './where.js';

/** `delete_file`: removes one file, or one folder with nothing in it. */
export function deleteFileTool({ scope, changer, showHash }: ChangingToolParts) {
  return defineTool({
    name: 'delete_file',
    description: `Deletes one file, or one empty folder. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file or empty folder'),
      expected: expectedField(),
    }),
    // Deletes are destructive whether or not a log keeps the content.
    effect: 'destructive',
    async execute(input, { sessionId, callId, signal }) {
      const place = await scope.locate(input.root, input.path, 'folder');
      const allow = requireExpected(input.expected, place.label, showHash);
      const state = await changer.remove(place, allow, { sessionId, callId, tool: 'delete_file', signal });
      const size = state.kind === 'file' ? ` (${state.size} bytes)` : '';
      return {
        text: `Deleted the ${state.kind} ${place.path} in ${place.root.name}${size}.`,
        data: {
          root: place.root.name,
          path: place.path,
          kind: state.kind,
          ...(state.kind === 'file' ? { previousBytes: state.size } : {}),
        },
      };
    },
  });
}
