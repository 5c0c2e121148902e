import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse, stringify } from 'yaml';
import { z } from 'zod';

const configSchema = z.record(z.string(), z.unknown());

/** The root key under which HarperDB loads the component that makes it a host for the agent. */
const COMPONENT = 'harper-agent';

/** Adds keys, and the component in `folder`, to the configuration HarperDB has written; keys that are there are replaced. */
export async function writeConfig(
  file: string,
  folder: string,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  const present = configSchema.parse(parse(await readFile(file, 'utf8')));
  await writeFile(file, stringify({ ...present, ...config, [COMPONENT]: { package: `file:${folder}` } }));
}

/**
 * Writes a component that only points to the built one. HarperDB puts a link beside the files of a component, which is
 * not wanted beside ours.
 */
export async function writeComponent(folder: string): Promise<void> {
  const manifest = createRequire(import.meta.url).resolve('@harperfast/agent-host-harperdb4/package.json');
  const built = join(dirname(manifest), 'dist', 'component', 'index.js');
  if (!existsSync(built)) throw new Error(`${built} is missing; run npm run build first`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "name": "harper-agent-host", "type": "module" }\n');
  await writeFile(join(folder, 'config.yaml'), 'extensionModule: index.js\n');
  await writeFile(join(folder, 'index.js'), `export * from ${JSON.stringify(pathToFileURL(built).href)};\n`);
}
