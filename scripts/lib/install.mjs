import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quietly, run } from './run.mjs';
import { packageDirectories, root } from './workspace.mjs';

const pnpm = `pnpm@${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.pnpm}`;
const marker = join(root, 'node_modules', '.installed');

/** What the installed tree depends on: lockfile, workspace file, every manifest, and the platform. */
function wanted() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch} `);
  const manifests = packageDirectories().map((directory) => `${directory}/package.json`);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests]) {
    hash.update(`${file}\n`);
    if (existsSync(join(root, file))) hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

// npm run hands its own settings down and pnpm would obey them: a user's ignore-scripts or omit=dev is not meant for us.
// Keys of models are none of an installer's business.
const dropped = /^npm_config_(ignore_scripts|prefix|production|omit|global.*|local_prefix)$|_API_KEY$/i;

function installEnvironment() {
  const kept = Object.entries(process.env).filter(([name]) => !dropped.test(name) && name !== 'NODE_ENV');
  return Object.fromEntries(kept);
}

/** Installs when something changed since the last time; otherwise it touches neither network nor pnpm. */
export async function install() {
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted()) return;
  console.error('Installing the dependencies …');
  const code = await run('npx', ['-y', pnpm, 'install', '--prefer-offline'], {
    stdio: quietly,
    env: installEnvironment(),
  });
  if (code !== 0)
    throw new Error(`Installing the dependencies failed (exit code ${code}); the output is above.`);
  writeFileSync(marker, wanted());
}
