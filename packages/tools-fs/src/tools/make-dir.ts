import { defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { type ChangingToolParts, pathField, rootField } from './where.js';

/** `make_dir`: makes a folder and those above it; one that is there already is fine. */
export function makeDirTool({ scope, changer }: ChangingToolParts) {
  return defineTool({
    name: 'make_dir',
    description: `Makes a folder, and the folders above it that are missing. ${scope.summary}`,
    input: z.strictObject({ root: rootField(scope), path: pathField('The folder') }),
    effect: 'write',
    async execute(input, { sessionId, callId, signal }) {
      const place = await scope.locate(input.root, input.path, 'folder');
      const made = await changer.makeFolder(place, { sessionId, callId, tool: 'make_dir', signal });
      const where = `${place.path} in ${place.root.name}`;
      return {
        text: made.length === 0 ? `The folder ${where} exists already.` : `Made the folder ${where}.`,
        data: { root: place.root.name, path: place.path, made },
      };
    },
  });
}
