import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HarperHostComponent } from './harper-host.js';
import { MIXED, PLUGIN, PROBE, THROWER } from './probe-source.js';

/** The value of the key `colour` in the block of each component. */
export const COLOUR = 'blue';

const COMPONENTS = [
  { name: 'probe', source: PROBE, entry: 'extensionModule', keys: {} },
  { name: 'thrower', source: THROWER, entry: 'extensionModule', keys: {} },
  { name: 'plugin', source: PLUGIN, entry: 'pluginModule', keys: {} },
  // Harper answers with the error of a component that it could not load at that path, and by default at every one.
  { name: 'mixed', source: MIXED, entry: 'pluginModule', keys: { path: '/probe-mixed' } },
];

/** Writes the suite's own components below `folder`. */
export async function writeComponents(
  folder: string,
  token: string,
): Promise<readonly HarperHostComponent[]> {
  for (const { name, source, entry } of COMPONENTS) {
    await writeFiles(join(folder, name), {
      'package.json': `{ "name": "${name}", "version": "1.0.0", "type": "module" }\n`,
      'config.yaml': `${entry}: index.js\n`,
      'index.js': source,
    });
  }
  await writeFile(join(folder, 'probe', 'token.json'), JSON.stringify({ token }));
  return COMPONENTS.map(({ name, keys }) => ({
    name,
    folder: join(folder, name),
    config: { colour: COLOUR, ...keys },
  }));
}

/** Writes an application that serves what `resources` exports. */
export async function writeApplication(folder: string, resources: string): Promise<void> {
  await writeFiles(folder, {
    'config.yaml': 'rest: true\njsResource:\n  files: resources.js\n',
    'resources.js': resources,
  });
}

async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
