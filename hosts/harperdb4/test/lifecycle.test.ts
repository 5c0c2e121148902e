import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { describeOnHarperDb } from './support/accepted.js';
import { isAlive } from './support/is-alive.js';
import { startAgent } from './support/start-agent.js';

const LONG_MS = 400_000;

describeOnHarperDb('HarperDB as a host', () => {
  it(
    'keeps sessions over SIGKILL and over the operation restart, and leaves no process and no folder behind',
    async () => {
      const host = await startAgent();
      onTestFinished(() => host.stop());
      const prompt = { operation: 'agent_prompt', message: 'hello', message_id: 'm1' };
      const first = await host.operation(prompt);
      expect(first).toMatchObject({ status: 200 });
      const known = { status: 200, body: { session_id: Reflect.get(Object(first.body), 'session_id') } };
      const pids = [host.pid];
      await host.kill();
      expect(pids.filter(isAlive)).toEqual([]);
      await host.start();
      pids.push(host.pid);
      expect(await host.operation(prompt)).toMatchObject(known);

      await host.operation({ operation: 'restart' });
      await host.waitForRestart();
      pids.push(host.pid);
      expect(new Set(pids).size).toBe(3);
      expect(await host.operation(prompt)).toMatchObject(known);
      await host.stop();
      expect([pids.filter(isAlive), existsSync(host.root)]).toEqual([[], false]);
    },
    LONG_MS,
  );

  it('says so of a folder where its installation was cut off, and leaves that alone', async () => {
    const root = await mkdtemp(join(tmpdir(), 'kept-harperdb-'));
    onTestFinished(() => rm(root, { recursive: true }));
    await mkdir(join(root, 'hdb'));
    await writeFile(join(root, 'hdb', 'harperdb-config.yaml'), 'rootPath: unfinished\n');
    await expect(startAgent({ root })).rejects.toThrow(
      /hdb holds an installation that was cut off: remove it/,
    );
    expect(await readdir(join(root, 'hdb'))).toEqual(['harperdb-config.yaml']);
  });

  it(
    'starts again on a folder it was given, which it leaves in place, and keeps everything in it',
    async () => {
      const root = await mkdtemp(join(tmpdir(), 'kept-harperdb-'));
      onTestFinished(() => rm(root, { recursive: true }));
      for (const tables of [[], ['dog']]) {
        const host = await startAgent({ root });
        try {
          const { body } = await host.operation({ operation: 'describe_all' });
          expect(Object.keys(Object(Reflect.get(Object(body), 'data') ?? {}))).toEqual(tables);
          await host.operation({
            operation: 'create_table',
            database: 'data',
            table: 'dog',
            primary_key: 'id',
          });
        } finally {
          await host.stop();
        }
      }
      expect((await readdir(root)).toSorted()).toEqual(['component', 'hdb', 'home']);
    },
    LONG_MS,
  );
});
