import { expect } from 'vitest';
import { WORKERS } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';
import { COLOUR } from './write-components.js';

const GIVEN = { server: 'object', ensureTable: 'function', resources: 'object', colour: 'string' };

export const componentChecks: readonly HarperHostCheck[] = [
  {
    name: 'calls startOnMainThread once, on the main thread, and awaits it before any worker calls start',
    async run(bench) {
      const hooks = (await bench.events())
        .filter(({ component }) => component === 'probe')
        .map(({ hook, isMainThread }) => [hook, isMainThread]);
      expect(hooks.slice(0, 2 + WORKERS)).toEqual([
        ['startOnMainThread', true],
        ['startOnMainThread is over', true],
        ...Array.from({ length: WORKERS }, () => ['start', false]),
      ]);
      expect(hooks.filter(([hook]) => hook === 'startOnMainThread')).toHaveLength(1);
    },
  },
  {
    name: 'calls start once on every worker',
    async run(bench) {
      const workers = (await bench.workers()).map(({ threadId }) => threadId);
      expect(new Set(workers).size).toBe(WORKERS);
      expect(workers).toHaveLength(WORKERS);
      const ports = await bench.main((here) => here.threads.map(({ threadId }) => threadId));
      expect(ports).toEqual(expect.arrayContaining(workers));
    },
  },
  {
    name: 'hands both hooks server, ensureTable, resources and the keys of the component in the root configuration',
    async run(bench) {
      const events = (await bench.events()).filter(({ component }) => component === 'probe');
      for (const hook of ['startOnMainThread', 'start']) {
        expect(events.find((event) => event.hook === hook)).toMatchObject({ given: GIVEN, colour: COLOUR });
      }
      const methods = await bench.main(({ server }) =>
        ['operation', 'getUser'].map((name) => typeof Reflect.get(server, name)),
      );
      expect(methods).toEqual(['function', 'function']);
    },
  },
  {
    name: 'hands startOnMainThread the port of the applications as a number',
    async run(bench) {
      const event = (await bench.events()).find(({ hook }) => hook === 'startOnMainThread');
      expect(event?.port).toBe(Number(new URL(bench.host.appUrl).port));
    },
  },
  {
    name: 'publishes server, databases, tables, transaction, logger, threads and Resource in every thread',
    async run(bench) {
      const types = () =>
        ['server', 'databases', 'tables', 'transaction', 'logger', 'threads', 'Resource'].map(
          (name) => typeof Reflect.get(globalThis, name),
        );
      const expected = ['object', 'object', 'object', 'function', 'object', 'object', 'function'];
      expect(await bench.main(types)).toEqual(expected);
      expect(await bench.worker(types, { args: [] })).toEqual(expected);
    },
  },
  {
    name: 'goes on when a hook throws, and says so in its log',
    async run(bench) {
      expect(await bench.log()).toContain('thrown by the hook of a component');
      expect(await bench.send({ operation: 'describe_all' })).toMatchObject({ status: 200 });
    },
  },
  {
    name: 'calls handleApplication of a plugin on the workers only, with its scope',
    async run(bench) {
      const calls = (await bench.events()).filter(({ component }) => component === 'plugin');
      const workers = await bench.workers();
      expect(calls.map(({ hook }) => hook)).toEqual(calls.map(() => 'handleApplication'));
      expect(calls.filter(({ isMainThread }) => isMainThread)).toEqual([]);
      for (const { threadId } of workers) {
        expect(calls.filter((call) => call.threadId === threadId)).toMatchObject([
          {
            colour: COLOUR,
            given: { options: 'object', resources: 'object', server: 'object', logger: 'object' },
          },
        ]);
      }
    },
  },
  {
    name: 'refuses a component that exports handleApplication beside the other hooks, and says so in its log',
    async run(bench) {
      const calls = (await bench.events()).filter(({ component }) => component === 'mixed');
      expect(calls).toEqual([]);
      expect(await bench.log()).toMatch(/\[error\].*(mixed|old extension|handleApplication)/);
    },
  },
];
