import { join, relative, sep } from 'node:path';
import type { HarperPaths } from './host.js';

/** The folder of what the agent keeps in files: nobody but the server's own user may read it. */
export function agentFolder(paths: Pick<HarperPaths, 'root'>): string {
  return join(paths.root, 'agent');
}

/** Throws when a folder that tools may reach holds the agent's own folder, or lies in it. */
export function keepOutOfReach(folder: string, reachable: string, what: string): void {
  if (!holds(reachable, folder) && !holds(folder, reachable)) return;
  throw new Error(
    `${what} '${reachable}' would let tools reach the agent's own files in '${folder}'; name another folder`,
  );
}

function holds(outer: string, inner: string): boolean {
  const path = relative(outer, inner);
  return path === '' || (path.split(sep)[0] !== '..' && !path.startsWith(sep));
}
