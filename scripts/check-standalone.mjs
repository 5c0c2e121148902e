// Packs the engine and the tool packs, installs the tarballs with npm in a folder of their own, and runs the example
// there: what it imports is what would be published.
import { copyFileSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCollected } from './lib/run.mjs';
import { readManifest, root } from './lib/workspace.mjs';

const example = 'examples/packs-standalone';
const folder = mkdtempSync(join(tmpdir(), 'packs-standalone-'));

async function step(what, command, args, cwd) {
  const { code, output } = await runCollected(command, args, { cwd });
  if (code !== 0) throw new Error(`${what} failed with exit code ${code}:\n${output}`);
  return output;
}

try {
  const names = Object.keys(readManifest(example).dependencies);
  for (const name of names) {
    const directory = join(root, 'packages', name.replace('@harperfast/', '').replace(/^agent-(?!core)/, ''));
    await step(`Packing ${name}`, 'pnpm', ['pack', '--pack-destination', folder], directory);
  }
  const tarballs = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  const { version } = readManifest('node_modules/zod');
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyFileSync(join(root, example, 'dist', 'main.js'), join(folder, 'main.js'));
  const files = tarballs.map((file) => `./${file}`);
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await step('Installing them', 'npm', ['install', ...flags, `zod@${version}`, ...files], folder);
  console.log(await step('The example', process.execPath, ['main.js'], folder));
  console.log(`${tarballs.length} packages packed, installed with npm, and used without Harper`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
