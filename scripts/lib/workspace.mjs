import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Directories of all workspace packages, relative to the root, sorted. */
export function packageDirectories() {
  const nested = ['packages', 'examples', 'hosts'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => `${parent}/${name}`),
  );
  const found = [...nested, 'bench', 'e2e'].filter((path) => existsSync(join(root, path, 'package.json')));
  return found.sort((a, b) => (a < b ? -1 : 1));
}

export function readManifest(directory) {
  return JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));
}

export function publicPackages() {
  return packageDirectories().filter((directory) => readManifest(directory).private !== true);
}
