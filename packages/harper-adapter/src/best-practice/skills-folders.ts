import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { HarperPaths } from '../host.js';

const SKILL = join('node_modules', '@harperfast', 'skills', 'harper-best-practices');

/**
 * Where Node would find Harper's optional skills package: beside the program of the server, beside this file, and in
 * Harper's root folder, each with the folders above it; nearest first.
 */
export function skillsFolders(paths: Pick<HarperPaths, 'root'>): readonly string[] {
  const program = process.argv[1];
  const from = [
    ...(program === undefined ? [] : [dirname(program)]),
    dirname(fileURLToPath(import.meta.url)),
    paths.root,
  ];
  return [...new Set(from.flatMap(withParents).map((folder) => join(folder, SKILL)))];
}

function withParents(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [folder] : [folder, ...withParents(above)];
}
