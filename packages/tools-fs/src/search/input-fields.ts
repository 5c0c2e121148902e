import { z } from 'zod';

/** The `globs` field of searches. */
export function globsField() {
  const glob = z
    .string()
    .min(1)
    .max(256)
    .refine((text) => globProblem(text) === undefined, {
      error: ({ input }) => globProblem(String(input)) ?? '',
    });
  return z
    .array(glob)
    .max(16)
    .describe(
      `Such as '*.js', 'src/**/*.{ts,js}' or '!*.test.js' (leave out). Without '/' a glob is compared with names at any ` +
        `depth, with '/' with paths below the folder.`,
    );
}

/** The `includeIgnored` field of searches. */
export function everythingField() {
  return z.boolean().default(false).describe('Also ignored files and node_modules.');
}

function globProblem(glob: string): string | undefined {
  if (glob.split(/[/{},]/).includes('..')) return `the glob '${glob}' holds '..': give the folder as path`;
  if (glob.includes('\\')) return `the glob '${glob}' holds a backslash: separate folders with '/'`;
  return undefined;
}
