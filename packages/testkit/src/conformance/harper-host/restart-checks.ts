import { expect } from 'vitest';
import type { HarperHostCheck } from './harper-host-check.js';

const RESTART_MS = 150_000;

export const restartChecks: readonly HarperHostCheck[] = [
  {
    name: 'answers restart, then goes on as another process with everything that was there',
    deadlineMs: RESTART_MS,
    async run(bench) {
      const { pid } = bench.host;
      await bench.main((here) => {
        here.memory.set('mark', 'the process before');
        return here.table('probe_restarted').put('a', { id: 'a' });
      });
      expect(await bench.send({ operation: 'restart' })).toMatchObject({ status: 200 });
      await bench.host.waitForRestart();
      expect(await bench.send({ operation: 'describe_all' })).toMatchObject({ status: 200 });
      expect(bench.host.pid).not.toBe(pid);
      const found = await bench.main(async (here) => [
        here.memory.get('mark') ?? null,
        here.plain(await here.table('probe_restarted').get('a')),
      ]);
      expect(found).toEqual([null, { id: 'a' }]);
      const hooks = (await bench.events()).filter(({ hook }) => hook === 'startOnMainThread');
      expect(hooks).toHaveLength(1);
    },
  },
];
