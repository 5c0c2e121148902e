import { defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { inSearchArea } from '../search/in-search-area.js';
import { everythingField, globsField } from '../search/input-fields.js';
import { quotePath, stopNote } from '../search/notes.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `find_files`: paths below a folder that fit globs, in order, up to a limit that is said out loud. */
export function findFilesTool({ scope, jail, limits, searcher }: FsToolParts) {
  return defineTool({
    name: 'find_files',
    description:
      `Finds files by name below a folder, one path a line from the root on, sorted. Links are never followed. ` +
      `Heeds .gitignore and .ignore files from that folder on, and stays out of node_modules. ${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The folder to search').default('.'),
      globs: globsField().min(1),
      want: z.enum(['file', 'folder', 'any']).default('file').describe('What to find.'),
      includeIgnored: everythingField(),
      maxResults: z.int().min(1).max(limits.searchResults).default(Math.min(200, limits.searchResults)),
    }),
    effect: 'read',
    async execute(input, { signal }) {
      const place = await scope.locate(input.root, input.path, 'folder');
      return inSearchArea(jail, place, async ({ pathFromRoot, ...held }) => {
        const { paths, unreadable, stopped } = await searcher.find(
          {
            area: {
              ...held,
              globs: input.globs,
              everything: input.includeIgnored,
              milliseconds: limits.searchMs,
            },
            want: input.want,
            most: input.maxResults,
          },
          signal,
        );
        const found = paths.map(pathFromRoot);
        const head = [
          `${found.length} ${found.length === 1 ? 'path' : 'paths'}`,
          ...stopNote(stopped, limits.searchMs),
          ...(unreadable.length === 0
            ? []
            : [`${unreadable.length} ${unreadable.length === 1 ? 'folder' : 'folders'} could not be read`]),
        ];
        return {
          text: [`[${place.path} in ${place.root.name}: ${head.join('; ')}]`, ...found.map(quotePath)].join(
            '\n',
          ),
          data: { root: place.root.name, paths: found, unreadable: unreadable.map(pathFromRoot), stopped },
          ...(stopped === undefined ? {} : { truncated: true }),
        };
      });
    },
  });
}
