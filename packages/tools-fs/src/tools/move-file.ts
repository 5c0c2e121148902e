import { defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { expectedField, requireExpected } from './expected.js';
import { type ChangingToolParts, pathField, rootField } from './where.js';

/** `move_file`: gives a file or a folder another name in the same root, in one step. */
export function moveFileTool({ scope, changer, showHash }: ChangingToolParts) {
  return defineTool({
    name: 'move_file',
    description:
      `Moves or renames a file, or a folder with all that is in it, within one root; missing folders are made. ` +
      `Nothing is ever replaced: the new name must be free. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The file or folder'),
      to: pathField('Its new path'),
      expected: expectedField(),
    }),
    effect: 'write',
    async execute(input, { sessionId, callId, signal }) {
      const from = await scope.locate(input.root, input.path, 'folder');
      const to = await scope.locate(input.root, input.to, 'folder');
      const allow = requireExpected(input.expected, from.label, showHash);
      const { kind } = await changer.move(from, to, allow, { sessionId, callId, tool: 'move_file', signal });
      return {
        text: `Moved the ${kind} ${from.path} to ${to.path} in ${from.root.name}.`,
        data: { root: from.root.name, path: from.path, to: to.path, kind },
      };
    },
  });
}
