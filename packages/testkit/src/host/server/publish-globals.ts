import { access, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { HostLogger } from '../log/open-log.js';
import type { Models } from '../models/models.js';
import type { Tables } from '../tables/open-tables.js';
import { Resource } from '../workers/resource.js';

export interface PublishedGlobals {
  readonly server: object;
  readonly tables: Tables;
  readonly models: Models;
  readonly logger: HostLogger;
  readonly threads: readonly object[];
  readonly operation: unknown;
  readonly root: string;
}

const NAMES = [
  'server',
  'tables',
  'databases',
  'transaction',
  'models',
  'logger',
  'threads',
  'operation',
  'Resource',
] as const;

/**
 * Publishes what Harper gives components as globals, and as the packages `harper` and `harperdb`, which are found
 * from everything below the host's root.
 */
export async function publishGlobals({ tables, root, ...rest }: PublishedGlobals): Promise<void> {
  const { server, models, logger, threads, operation } = rest;
  Object.assign(globalThis, { server, models, logger, threads, operation, Resource });
  Object.assign(globalThis, {
    tables: tables.tables,
    databases: tables.databases,
    transaction: tables.transaction,
  });
  for (const name of ['harper', 'harperdb']) await writePackage(join(root, 'node_modules', name), name);
}

async function writePackage(folder: string, name: string): Promise<void> {
  const manifest = join(folder, 'package.json');
  const exists = await access(manifest).then(
    () => true,
    () => false,
  );
  if (exists) return;
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'index.js'),
    NAMES.map((name) => `export const ${name} = globalThis.${name};\n`).join(''),
  );
  await writeFile(manifest, `${JSON.stringify({ name, type: 'module', exports: './index.js' })}\n`);
}
