import {
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Tool } from '@harperfast/agent-core/contracts';
import { type FsToolsOptions, readLimits, readRoots } from '../../src/options.js';
import type { Hold } from '../../src/root/folder.js';
import { createJail } from '../../src/root/jail.js';
import { createScope } from '../../src/root/scope.js';
import { createSecretsRule } from '../../src/root/secrets.js';
import { listDirTool } from '../../src/tools/list-dir.js';
import { readFileTool } from '../../src/tools/read-file.js';
import { writeFileTool } from '../../src/tools/write-file.js';

/** What stands in every file outside the roots: it must never come back from a tool. */
export const OUTSIDE = 'OUTSIDE-THE-ROOT';

/** A real folder tree: a root with files and links of every kind, and neighbours it must not reach. */
export interface Tree {
  /** Holds the root and its neighbours. */
  readonly base: string;
  readonly root: string;
  readonly outside: string;
}

/** Makes the tree in a new temporary folder, removed after the test. */
export async function makeTree(): Promise<Tree> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'tools-fs-')));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  const root = join(base, 'root');
  const outside = join(base, 'outside');
  await mkdir(join(root, 'hello', 'deep'), { recursive: true });
  await mkdir(join(root, 'keys'));
  await mkdir(join(outside, 'sub'), { recursive: true });
  await mkdir(join(base, 'root-evil'));
  await Promise.all([
    writeFile(join(root, 'a.txt'), 'inside a\n'),
    writeFile(join(root, 'hello', 'b.txt'), 'inside b\n'),
    writeFile(join(root, 'hello', 'deep', 'c.txt'), 'inside c\n'),
    writeFile(join(root, 'keys', 'server.txt'), `${OUTSIDE}\n`),
    writeFile(join(root, 'server.pem'), `${OUTSIDE}\n`),
    writeFile(join(root, '.env'), `TOKEN=${OUTSIDE}\n`),
    writeFile(join(outside, 'secret.txt'), `${OUTSIDE}\n`),
    writeFile(join(outside, 'sub', 'b.txt'), `${OUTSIDE}\n`),
    writeFile(join(base, 'root-evil', 'a.txt'), `${OUTSIDE}\n`),
    symlink(join(outside, 'secret.txt'), join(root, 'leaf-link')),
    symlink('../outside', join(root, 'parent-link')),
    symlink(join(outside, 'not-there.txt'), join(root, 'dangling')),
    symlink('..', join(root, 'hello', 'up-link')),
    symlink('hello/b.txt', join(root, 'inner-link')),
  ]);
  return { base, root, outside };
}

/** The tools over these roots, with the given hold instead of the strongest one. */
export function toolsWith(
  options: FsToolsOptions,
  hold: Hold,
  single: readonly string[] = [],
): readonly Tool[] {
  const scope = createScope(readRoots(options.roots), new Set(single), createSecretsRule(options.deny));
  const parts = { scope, jail: createJail(scope, hold), limits: readLimits(options.limits) };
  return [readFileTool(parts), listDirTool(parts), writeFileTool(parts)];
}

/** Every name below a folder with what is in it, for a comparison before and after. */
export async function snapshot(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path] = await readFile(path, 'utf8');
    else found[path] = entry.isSymbolicLink() ? `-> ${await readlink(path)}` : 'folder';
  }
  return found;
}
