import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FsToolsOptions } from '../../src/options.js';
import type { Hold } from '../../src/root/folder.js';
import { callTool } from './call-tool.js';
import { toolsWith } from './tree.js';

/** A root with these files, removed after the test, and calls of the tools over it. */
export async function searchTree(
  files: Readonly<Record<string, string | Buffer>>,
  options: Pick<FsToolsOptions, 'limits' | 'deny'> = {},
  hold: Hold = 'descriptor',
) {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'search-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const put = async (path: string, content: string | Buffer) => {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  };
  for (const [path, content] of Object.entries(files)) await put(path, content);
  const tools = toolsWith({ roots: { components: { path: root, mode: 'r' } }, ...options }, hold);
  const call = (name: string, input: object, signal?: AbortSignal) => callTool(tools, name, input, signal);
  return {
    root,
    put,
    call,
    find: async (input: object) => foundSchema.parse((await call('find_files', input)).data).paths,
    /** `path:number:text` of each line that matched, `-` for those beside one. */
    grep: async (input: object) =>
      grepSchema
        .parse((await call('grep_files', input)).data)
        .files.flatMap(({ path, lines = [] }) =>
          lines.map(
            ({ number, match, text }) => `${path}${match ? ':' : '-'}${number}${match ? ':' : '-'}${text}`,
          ),
        ),
  };
}

const foundSchema = z.object({ paths: z.array(z.string()) });
const grepSchema = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      lines: z.array(z.object({ number: z.number(), match: z.boolean(), text: z.string() })).optional(),
    }),
  ),
});
