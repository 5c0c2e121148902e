import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { DEFAULT_SETTINGS, systemClock } from '@harperfast/agent-core';
import type { ToolContext } from '@harperfast/agent-core/contracts';
import { ScriptedModel } from '@harperfast/agent-testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentFolder } from '../src/agent-folder.js';
import type { Pack } from '../src/config.js';
import { createAgentTokens } from '../src/http/agent-tokens.js';
import { createHttpTools } from '../src/http/create-http-tools.js';
import { openFileChanges } from '../src/file-changes.js';
import { PACKS } from '../src/config.js';
import { openFingerprintKey } from '../src/open-fingerprint-key.js';
import { createToolProviders } from '../src/tool-providers.js';
import { openHost } from './support/open-host.js';

const context = (): ToolContext => ({
  sessionId: 's1',
  callId: 'c1',
  caller: { user: 'admin' },
  signal: new AbortController().signal,
  logger: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
});

async function setUp(...names: readonly Pack[]) {
  let packs = new Set(names);
  const host = { ...(await openHost(new ScriptedModel([]))), appPort: 9926 };
  onTestFinished(() => host.close());
  await mkdir(join(host.paths.components, 'hello'));
  await writeFile(join(host.paths.components, 'hello', 'config.yaml'), 'rest: true\n');
  await writeFile(join(host.paths.logs, 'hdb.log'), 'a line\n');
  const tokens = createAgentTokens(host.server, 'admin', systemClock);
  const http = createHttpTools(host, { allow: [] }, 'admin', tokens);
  const changeLog = openFileChanges(agentFolder(host.paths), host.logger);
  const providers = createToolProviders(host, {
    config: { operations: {}, maxTools: 128 },
    others: [],
    live: { refresh: async () => packs },
    componentsRoot: host.paths.components,
    http,
    changeLog,
    hashKey: 'test',
    tokens,
    clock: systemClock,
    settings: () => ({ ...DEFAULT_SETTINGS, allowDestructive: true }),
  });
  const list = async () => {
    // A list holds for one turn of the event loop.
    await setImmediate();
    const lists = await Promise.all(providers.map(async (provider) => provider.tools({ user: 'admin' })));
    return new Map(lists.flat().map((tool) => [tool.name, tool]));
  };
  const run = async (name: string, input: unknown) => {
    const tool = (await list()).get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}`);
    return tool.execute(tool.input.parse(input), context());
  };
  const change = (...changed: readonly Pack[]) => void (packs = new Set(changed));
  return { host, list, run, change };
}

describe('createToolProviders', () => {
  it('brings the tools of every pack that is on', async () => {
    const { host, list, run } = await setUp(...PACKS);
    for (const name of [
      'read_file',
      'write_file',
      'list_dir',
      'http_fetch',
      'describe_all',
      'inspector_snapshot',
    ]) {
      expect([...(await list()).keys()]).toContain(name);
    }
    await run('write_file', { path: 'hello/resources.js', content: 'export class Hello {}\n' });
    const written = await readFile(join(host.paths.components, 'hello', 'resources.js'), 'utf8');
    expect(written).toBe('export class Hello {}\n');
    expect((await run('read_file', { root: 'logs', path: 'hdb.log' })).text).toContain('a line');
  });

  it('leaves components readable and everything else out when no more is on', async () => {
    const { list, run } = await setUp('operations', 'files');
    for (const name of ['http_fetch', 'write_file', 'inspector_status'])
      expect([...(await list()).keys()]).not.toContain(name);
    expect((await run('read_file', { path: 'hello/config.yaml' })).text).toContain('rest: true');
    for (const root of ['logs', 'config']) {
      await expect(run('read_file', { root, path: 'hdb.log' })).rejects.toThrow('components');
    }
  });

  it("reaches the key of the agent's approvals by no root, path or link", async () => {
    const { host, run } = await setUp(...PACKS);
    const key = await openFingerprintKey(agentFolder(host.paths));
    const file = join(agentFolder(host.paths), 'fingerprint-key');
    await symlink(file, join(host.paths.components, 'hello', 'link.txt'));
    await symlink(agentFolder(host.paths), join(host.paths.components, 'folder'));
    const paths = [file, '../agent/fingerprint-key', 'hello/link.txt', 'folder/fingerprint-key', '..', '.'];
    for (const root of ['components', 'logs', 'config']) {
      for (const path of paths) {
        for (const [name, input] of [
          ['read_file', { root, path }],
          ['tail_file', { root, path }],
          ['grep_files', { root, path, pattern: '.' }],
          ['write_file', { root, path, content: 'mine' }],
          ['delete_file', { root, path }],
        ] as const) {
          const seen = await run(name, input).then(
            ({ text }) => text,
            (error: unknown) => String(error),
          );
          expect(seen, `${name} ${root} ${path}`).not.toContain(key);
        }
      }
    }
    expect(await openFingerprintKey(agentFolder(host.paths))).toBe(key);
  });

  it('follows the packs from one call to the next, and keeps the tools of the same packs', async () => {
    const { list, run, change } = await setUp(...PACKS);
    const before = await list();
    await run('write_file', { path: 'hello/a.js', content: 'x' });
    change('operations', 'files');
    await expect(run('write_file', { path: 'hello/a.js', content: 'y' })).rejects.toThrow(
      'no tool write_file',
    );
    await expect(run('read_file', { root: 'logs', path: 'hdb.log' })).rejects.toThrow('components');
    change(...PACKS);
    for (const [name, tool] of await list()) expect(before.get(name)).toBe(tool);
  });

  it('lets nobody write the log or the configuration', async () => {
    const { run } = await setUp(...PACKS);
    for (const root of ['logs', 'config']) {
      await expect(run('write_file', { root, path: 'hdb.log', content: 'x' })).rejects.toThrow(/read.only/);
    }
  });
});
