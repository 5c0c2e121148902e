import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startHost, type EmbeddedHost, type HostOptions } from '../../src/host/index.js';

const probe = fileURLToPath(new URL('fixtures/probe.mjs', import.meta.url));
let host: EmbeddedHost | undefined;
const start = async (options: HostOptions = {}) =>
  (host = await startHost({
    builtins: { probe },
    ...options,
    config: { probe: true, threads: { count: 1 }, ...options.config },
  }));
const running = (): EmbeddedHost => {
  if (host === undefined) throw new Error('no host was started');
  return host;
};
const run = (body: object) => running().operation(body);
// A process that has ended may stay listed until its new parent has noticed.
const alive = (pid: number) => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};

describe('restart', { timeout: 60_000 }, () => {
  beforeAll(async () => void (await start()), 60_000);
  afterAll(() => host?.stop());

  it('answers first, then starts a new process on the same ports with the same data', async () => {
    const { pid, operationsUrl, appUrl } = running();
    await run({ operation: 'probe_put', id: 'a' });
    expect(await run({ operation: 'restart' })).toMatchObject({
      status: 200,
      body: { message: expect.stringContaining('Restarting') },
    });
    await host?.waitForRestart();
    expect(alive(pid)).toBe(false);
    expect(host).toMatchObject({ operationsUrl, appUrl });
    expect(host?.pid).not.toBe(pid);
    expect(await run({ operation: 'probe_get', id: 'a' })).toMatchObject({
      status: 200,
      body: { record: { id: 'a' } },
    });
  });

  it('loses nothing that was acknowledged before a SIGKILL, whole transactions included', async () => {
    const started = running();
    const { pid, appUrl, operationsUrl } = started;
    await run({ operation: 'create_table', table: 'pair', primary_key: 'id' });
    const acknowledged: string[] = [];
    let killed = false;
    const write = async (writer: number) => {
      for (let count = 0; !killed; count++) {
        const id = `${writer}-${count}`;
        const records = [{ id: `${id}-left` }, { id: `${id}-right` }];
        const answers = await Promise.all([
          run({ operation: 'probe_put', id }),
          run({ operation: 'insert', table: 'pair', records }),
        ]).catch(() => undefined);
        if (answers?.every(({ status }) => status === 200) === true) acknowledged.push(id);
        if (acknowledged.length === 60) {
          killed = true;
          await started.kill();
        }
      }
    };
    await Promise.all([0, 1, 2, 3].map(write));
    await expect.poll(() => alive(pid), { timeout: 10_000 }).toBe(false);
    await started.start();
    expect(host).toMatchObject({ operationsUrl, appUrl });
    const puts = new Set(((await run({ operation: 'probe_all' })).body as { ids: string[] }).ids);
    const pairs = (await run({ operation: 'search_by_value', table: 'pair', attribute: 'id', value: '*' }))
      .body as { id: string }[];
    const found = new Set(pairs.map(({ id }) => id));
    expect(acknowledged.filter((id) => !puts.has(id))).toEqual([]);
    expect(acknowledged.filter((id) => !found.has(`${id}-left`) || !found.has(`${id}-right`))).toEqual([]);
    const torn = [...found].filter(
      (id) =>
        !found.has(id.endsWith('-left') ? id.replace('-left', '-right') : id.replace('-right', '-left')),
    );
    expect(torn).toEqual([]);
  });

  it('ends in order, and takes the root it made with it', async () => {
    const { pid, root } = running();
    await host?.stop();
    expect([alive(pid), existsSync(root)]).toEqual([false, false]);
  });
});

describe('startHost', { timeout: 60_000 }, () => {
  afterEach(() => host?.stop());

  it('rejects with the reason when the host cannot start, and leaves no process', async () => {
    const root = await mkdtemp(join(tmpdir(), 'host-'));
    await expect(startHost({ root, config: { threads: { count: 'many' } } })).rejects.toThrow(
      /threads\.count/,
    );
    await rm(root, { recursive: true });
  });

  it('keeps a root it was given, adds keys to its config, and runs without the environment of the test runner', async () => {
    const root = await mkdtemp(join(tmpdir(), 'host-'));
    await writeFile(join(root, 'harper-config.yaml'), 'probe: { one: 1 }\nkept: true\n');
    await start({ root, config: { probe: { two: 2 } } });
    const config = await host?.operation({ operation: 'get_configuration' });
    expect(config?.body).toMatchObject({ probe: { two: 2 }, kept: true, threads: { count: 1 } });
    const environment = await readFile(`/proc/${host?.pid}/environ`, 'utf8');
    expect(environment).not.toMatch(/VITEST|NODE_OPTIONS/);
    await host?.stop();
    expect(existsSync(root)).toBe(true);
    await rm(root, { recursive: true });
  });

  it('leaves no host behind that is stuck in a loop when its supervisor is killed', async () => {
    const { pid, logPath } = await start();
    const stuck = run({ operation: 'probe_spin' });
    await expect.poll(() => readFileSync(logPath, 'utf8')).toContain('spinning');
    const supervisor = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
    process.kill(supervisor, 'SIGKILL');
    await expect(stuck).rejects.toThrow('fetch failed');
    await expect.poll(() => alive(pid), { timeout: 10_000 }).toBe(false);
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
