import { defineTool } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import { grepAnswer } from '../search/grep-answer.js';
import { inSearchArea } from '../search/in-search-area.js';
import { everythingField, globsField } from '../search/input-fields.js';
import { type FsToolParts, pathField, rootField } from './where.js';

/** `grep_files`: lines of files that match, in the order of the paths, up to limits that are said out loud. */
export function grepFilesTool({ scope, jail, limits, searcher }: FsToolParts) {
  return defineTool({
    name: 'grep_files',
    description:
      `Searches the lines of text files below a folder, or of one file. Patterns are RE2 (no lookaround, no ` +
      `backreferences) unless literal is true, and match within a line. Links are never followed, binary files and ` +
      `files with keys are not shown; .gitignore and .ignore files are heeded and node_modules is left out. ` +
      `${scope.summary}`,
    input: z.strictObject({
      root: rootField(scope),
      path: pathField('The folder or file to search').default('.'),
      pattern: z
        .string()
        .min(1)
        .max(1000)
        .refine((text) => !/[\n\r\0]/.test(text), {
          error: 'the pattern holds a line break: it is compared with one line at a time',
        }),
      literal: z.boolean().default(false).describe('Take the pattern as plain text.'),
      ignoreCase: z.boolean().default(false),
      globs: globsField().default([]),
      show: z
        .enum(['lines', 'files', 'counts'])
        .default('lines')
        .describe('Matching lines, or only the files that have one, or how many each file has.'),
      context: z.int().min(0).max(10).default(0).describe('Lines to show before and after each match.'),
      includeIgnored: everythingField(),
      maxResults: z
        .int()
        .min(1)
        .max(limits.searchResults)
        .default(Math.min(100, limits.searchResults))
        .describe('Most matching lines, or most files.'),
    }),
    effect: 'read',
    async execute(input, { signal }) {
      const place = await scope.locate(input.root, input.path, 'folder');
      return inSearchArea(jail, place, async ({ pathFromRoot, ...held }) => {
        const found = await searcher.grep(
          {
            area: {
              ...held,
              globs: input.globs,
              everything: input.includeIgnored,
              milliseconds: limits.searchMs,
            },
            pattern: input.pattern,
            literal: input.literal,
            ignoreCase: input.ignoreCase,
            show: input.show,
            context: input.context,
            most: input.maxResults,
            mostBytes: limits.pageBytes,
          },
          signal,
        );
        return grepAnswer(place, input.show, found, pathFromRoot, limits.searchMs);
      });
    },
  });
}
