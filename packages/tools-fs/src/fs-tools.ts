import { stat } from 'node:fs/promises';
import type { Tool, ToolProvider } from '@harperfast/agent-core/contracts';
import { type FsToolsOptions, type Root, readLimits, readRoots } from './options.js';
import { createJail } from './root/jail.js';
import { createScope } from './root/scope.js';
import { createSecretsRule } from './root/secrets.js';
import { listDirTool } from './tools/list-dir.js';
import { readFileTool } from './tools/read-file.js';
import { writeFileTool } from './tools/write-file.js';

/**
 * File tools that reach the given roots and nothing else: `read_file`, `list_dir` and, where a root has mode `rw`,
 * `write_file`. Throws `InvalidRequestError` for options it cannot use. Nothing is created until a call writes.
 */
export function fsTools(options: FsToolsOptions): ToolProvider {
  const roots = readRoots(options.roots);
  const limits = readLimits(options.limits);
  const secrets = createSecretsRule(options.deny);
  let made: Promise<readonly Tool[]> | undefined;

  async function makeTools(): Promise<readonly Tool[]> {
    const scope = createScope(roots, await singleFiles(roots), secrets);
    const parts = { scope, jail: createJail(scope), limits };
    const writable = roots.some(({ mode }) => mode === 'rw');
    return [readFileTool(parts), listDirTool(parts), ...(writable ? [writeFileTool(parts)] : [])];
  }

  return {
    name: 'fs',
    tools: () => (made ??= makeTools()),
    close: () => Promise.resolve(),
  };
}

/** Which roots are one file. Asked once, so that descriptions stay the same; the jail looks again at every call. */
async function singleFiles(roots: readonly Root[]): Promise<ReadonlySet<string>> {
  const names = await Promise.all(
    roots.map(async ({ name, path }) => {
      const stats = await stat(path).catch(() => undefined);
      return stats?.isFile() === true ? name : undefined;
    }),
  );
  return new Set(names.filter((name) => name !== undefined));
}
