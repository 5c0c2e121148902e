import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { startHost, type EmbeddedHost, type HostOptions } from '../../src/host/index.js';

const probe = fileURLToPath(new URL('fixtures/probe.mjs', import.meta.url));
let host: EmbeddedHost | undefined;
const start = async (options: HostOptions = {}) =>
  (host = await startHost({
    builtins: { probe },
    ...options,
    config: { probe: true, threads: { count: 1 }, ...options.config },
  }));
// A process that has ended may stay listed until its new parent has noticed.
const alive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
afterEach(() => host?.stop());

describe('restart', { timeout: 30_000 }, () => {
  it('answers first, then starts a new process on the same ports with the same data', async () => {
    const { pid, operationsUrl, appUrl, operation, waitForRestart, root } = await start();
    await operation({ operation: 'probe_put', id: 'a' });
    expect(await operation({ operation: 'restart' })).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('Restarting') },
    });
    await waitForRestart();
    expect(alive(pid)).toBe(false);
    expect(host).toMatchObject({ operationsUrl, appUrl });
    expect(host?.pid).not.toBe(pid);
    expect(await operation({ operation: 'probe_get', id: 'a' })).toMatchObject({
      status: 200,
      body: { record: { id: 'a' } },
    });
    const last = host?.pid ?? 0;
    await host?.stop();
    expect([alive(last), existsSync(root)]).toEqual([false, false]);
  });

  it('loses nothing that was acknowledged before a SIGKILL, whole transactions included', async () => {
    const { operation, pid, appUrl, operationsUrl, ...rest } = await start();
    await operation({ operation: 'create_table', table: 'pair', primary_key: 'id' });
    const acknowledged: string[] = [];
    let killed = false;
    const write = async (writer: number) => {
      for (let count = 0; !killed; count++) {
        const id = `${writer}-${count}`;
        const records = [{ id: `${id}-left` }, { id: `${id}-right` }];
        const answers = await Promise.all([
          operation({ operation: 'probe_put', id }),
          operation({ operation: 'insert', table: 'pair', records }),
        ]).catch(() => undefined);
        if (answers?.every(({ status }) => status === 200) === true) acknowledged.push(id);
        if (acknowledged.length === 100) {
          killed = true;
          await rest.kill();
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    expect(alive(pid)).toBe(false);
    await rest.start();
    expect(host).toMatchObject({ operationsUrl, appUrl });
    const puts = new Set(((await operation({ operation: 'probe_all' })).body as { ids: string[] }).ids);
    const pairs = (
      await operation({ operation: 'search_by_value', table: 'pair', attribute: 'id', value: '*' })
    ).body as { id: string }[];
    const found = new Set(pairs.map(({ id }) => id));
    expect(acknowledged.filter((id) => !puts.has(id))).toEqual([]);
    expect(acknowledged.filter((id) => !found.has(`${id}-left`) || !found.has(`${id}-right`))).toEqual([]);
    const torn = [...found].filter(
      (id) =>
        !found.has(id.endsWith('-left') ? id.replace('-left', '-right') : id.replace('-right', '-left')),
    );
    expect(torn).toEqual([]);
  });
});

describe('startHost', { timeout: 30_000 }, () => {
  it('rejects with the reason when the host cannot start, and leaves no process', async () => {
    const root = await mkdtemp(join(tmpdir(), 'host-'));
    await expect(startHost({ root, config: { threads: { count: 'many' } } })).rejects.toThrow(
      /threads\.count/,
    );
    await rm(root, { recursive: true });
  });

  it('keeps a root it was given, adds keys to its config, and runs without the environment of the test runner', async () => {
    const root = await mkdtemp(join(tmpdir(), 'host-'));
    await start({ root, config: { probe: { one: 1 } }, env: { SAID: 'so' } });
    await host?.stop();
    await start({ root, config: { probe: { two: 2 } } });
    const config = await host?.operation({ operation: 'get_configuration' });
    expect(config?.body).toMatchObject({ probe: { two: 2 }, threads: { count: 1 } });
    const environment = await readFile(`/proc/${host?.pid}/environ`, 'utf8');
    expect(environment).not.toMatch(/VITEST|NODE_OPTIONS/);
    await host?.stop();
    expect(existsSync(root)).toBe(true);
    await rm(root, { recursive: true });
  });

  it('takes supervisor and host with it when its process is killed', async () => {
    const root = await mkdtemp(join(tmpdir(), 'host-'));
    const launcher = spawn(
      process.execPath,
      [fileURLToPath(new URL('fixtures/launcher.mjs', import.meta.url)), root],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(createInterface(launcher.stdout), 'line')) as [string];
    const pid = Number(line);
    expect(alive(pid)).toBe(true);
    launcher.kill('SIGKILL');
    await expect.poll(() => alive(pid), { timeout: 10_000 }).toBe(false);
    await rm(root, { recursive: true });
  });
});
