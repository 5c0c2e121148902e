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
import { createChanger } from '../../src/changes/changer.js';
import { createEditor } from '../../src/edit/editor.js';
import { type FsToolsOptions, readLimits, readRoots } from '../../src/options.js';
import type { Hold } from '../../src/root/folder.js';
import { createJail } from '../../src/root/jail.js';
import { createScope } from '../../src/root/scope.js';
import { createSecretsRule } from '../../src/root/secrets.js';
import { createSearcher } from '../../src/search/searcher.js';
import { createShowHash } from '../../src/text/show-hash.js';
import { deleteFileTool } from '../../src/tools/delete-file.js';
import { editFileTool } from '../../src/tools/edit-file.js';
import { findFilesTool } from '../../src/tools/find-files.js';
import { grepFilesTool } from '../../src/tools/grep-files.js';
import { listDirTool } from '../../src/tools/list-dir.js';
import { makeDirTool } from '../../src/tools/make-dir.js';
import { moveFileTool } from '../../src/tools/move-file.js';
import { readFileTool } from '../../src/tools/read-file.js';
import { tailFileTool } from '../../src/tools/tail-file.js';
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

// One for all tests of a file: starting threads takes longer than most searches.
let secretNow: { deny: readonly string[]; forms: readonly string[] } = { deny: [], forms: [] };
const searcher = createSearcher(() => secretNow);

/** The tools over these roots, with the given hold instead of the strongest one. */
export function toolsWith(
  options: FsToolsOptions,
  hold: Hold,
  single: readonly string[] = [],
): readonly Tool[] {
  const secrets = createSecretsRule(options.deny, options.secrets);
  const scope = createScope(readRoots(options.roots), new Set(single), secrets);
  secretNow = { deny: options.deny ?? [], forms: secrets.forms() };
  const limits = readLimits(options.limits);
  const parts = {
    scope,
    jail: createJail(scope, hold),
    secrets,
    limits,
    searcher,
    showHash: createShowHash(),
  };
  const editor = createEditor();
  onTestFinished(() => editor.close());
  const { changeLog: log } = options;
  const changer = createChanger({ scope, jail: parts.jail, log, undoBytes: limits.undoBytes });
  const changing = { ...parts, changer, editor, recoverable: log !== undefined };
  return [
    readFileTool(parts),
    tailFileTool(parts),
    listDirTool(parts),
    findFilesTool(parts),
    grepFilesTool(parts),
    writeFileTool(changing),
    editFileTool(changing),
    moveFileTool(changing),
    deleteFileTool(changing),
    makeDirTool(changing),
  ];
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
