import { defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { type ListedEntry, listFolder } from '../root/list-folder.js';
import { quotePath } from '../search/notes.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `list_dir`: names, kinds and sizes below a folder, sorted by path, with a cap that is said out loud. */
export function listDirTool({ scope, jail, limits }: FsToolParts) {
  return defineTool({
    name: 'list_dir',
    description:
      `Lists a folder: one entry a line with its size in bytes, folders with a trailing '/'. Links are shown, never ` +
      `followed; node_modules and .git are opened only when they are the path. Up to ${limits.listEntries} entries. ` +
      `${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The folder').default('.'),
      depth: z.int().min(1).max(10).default(1).describe('How many levels to show.'),
    }),
    effect: 'read',
    async execute(input, { signal }) {
      const place = await scope.locate(input.root, input.path, 'folder');
      const { entries, complete } = await jail.inFolder(place, (folder, only) =>
        listFolder(
          folder,
          {
            depth: input.depth,
            maxEntries: limits.listEntries,
            withheld: (names) => scope.withheld([...place.segments, ...names]),
            ...(only === undefined ? {} : { only }),
          },
          signal,
        ),
      );
      const count = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
      const more = complete ? '' : '; not all: list a folder below it, or with less depth';
      return {
        text: [`[${place.path} in ${place.root.name}: ${count}${more}]`, ...entries.map(line)].join('\n'),
        data: { root: place.root.name, path: place.path, entries, complete },
        ...(complete ? {} : { truncated: true }),
      };
    },
  });
}

function line({ path, kind, size, note }: ListedEntry): string {
  const name = quotePath(path);
  const suffix = note === undefined ? '' : ` (${note})`;
  if (kind === 'folder') return `${name}/${suffix}`;
  if (kind === 'file') return `${name} ${size}${suffix}`;
  return `${name} (${note ?? kind})`;
}
