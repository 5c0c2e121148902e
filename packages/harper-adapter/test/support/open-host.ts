import { EventEmitter, once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScriptedModel } from '@harperfast/agent-testkit';
import { harperBackend } from '@harperfast/agent-testkit';
import type { HarperHost } from '../../src/host.js';
import type { FakeServer, FakeUser } from './fake-server.js';
import { createFakeServer, user } from './fake-server.js';
import { Models, openTables } from '@harperfast/agent-testkit/host';
import { hostTables } from './host-tables.js';
import { temporaryFolder } from './temporary-folder.js';

/** A host with real tables in a folder of its own, the stand-in's `models`, and a double of `server`. */
export interface TestHost extends HarperHost {
  readonly server: FakeServer;
  readonly log: string[];
  readonly tables: ReturnType<typeof openTables>;
  /** Resolves after the next commit. */
  committed(): Promise<void>;
  close(): Promise<void>;
}

export async function openHost(model: ScriptedModel, ...users: readonly FakeUser[]): Promise<TestHost> {
  const folder = await temporaryFolder();
  const components = join(folder.path, 'components');
  await mkdir(components);
  await mkdir(join(folder.path, 'log'));
  await writeFile(join(folder.path, 'harper-config.yaml'), 'rootPath: here\n');
  const tables = openTables({ path: join(folder.path, 'db') });
  const host = hostTables(tables);
  const models = new Models();
  models.registerBackend('generative', 'default', Object(harperBackend(model)));
  const log: string[] = [];
  const line = (level: string) => (message: string) => void log.push(`${level}: ${message}`);
  const commits = new EventEmitter();
  return {
    server: createFakeServer(user('admin'), ...users),
    log,
    tables,
    ensureTable: host.ensureTable,
    models: Object(models),
    logger: { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') },
    announce: line('notify'),
    async transaction(work) {
      const result = await host.transaction(work);
      setImmediate(() => commits.emit('commit'));
      return result;
    },
    config: () => ({}),
    workers: () => [],
    paths: {
      root: folder.path,
      components,
      logs: join(folder.path, 'log'),
      config: join(folder.path, 'harper-config.yaml'),
    },
    node: 'node-1',
    appPort: undefined,
    operationsPorts: [],
    peers: () => [],
    localIsSuperUser: false,
    async committed() {
      await once(commits, 'commit', { signal: AbortSignal.timeout(5000) });
    },
    async close() {
      await tables.close();
      await folder.remove();
    },
  };
}
