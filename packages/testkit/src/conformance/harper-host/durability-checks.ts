import { expect } from 'vitest';
import type { HarperHostCheck } from './harper-host-check.js';
import { killedHost } from './killed-host.js';

const RESTART_MS = 150_000;

export const durabilityChecks: readonly HarperHostCheck[] = [
  {
    name: 'has every row whose put had resolved after SIGKILL',
    deadlineMs: RESTART_MS,
    async run(bench) {
      const { acknowledged, found } = (await killedHost(bench)).rows;
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(found).toEqual(expect.arrayContaining([...acknowledged]));
    },
  },
  {
    name: 'has all writes of a transaction after SIGKILL, or none of them, and all of one that had resolved',
    deadlineMs: RESTART_MS,
    async run(bench) {
      const { acknowledged, found } = (await killedHost(bench)).pairs;
      expect(acknowledged.length).toBeGreaterThan(0);
      expect(found[0]).toEqual(expect.arrayContaining([...acknowledged]));
      expect(found[1]).toEqual(found[0]);
    },
  },
  {
    name: 'keeps users over SIGKILL',
    deadlineMs: RESTART_MS,
    async run(bench) {
      const { user } = await killedHost(bench);
      expect(await bench.send({ operation: 'list_users' }, { as: user })).toMatchObject({ status: 200 });
    },
  },
];
