import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The files of this package that run as a process or thread of their own. */
export type ProcessEntry = 'supervisor' | 'host-process' | 'app-worker' | 'front';

/**
 * The built file of an entry. Searched from the package's root, not beside the caller: that one may be a source
 * file of a test run, or a chunk the bundler made. Throws when the package has not been built.
 */
export function processEntry(name: ProcessEntry): URL {
  const file = join(packageRoot(), 'dist', 'host', 'process', `${name}.js`);
  if (!existsSync(file))
    throw new Error(`${file} is missing: the host runs from built files, run "npm run build" first`);
  return pathToFileURL(file);
}

function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error(`No package.json above ${import.meta.url}`);
    folder = parent;
  }
  return folder;
}
