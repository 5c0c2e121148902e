import { expect, vi } from 'vitest';
import { WORKERS, type HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';
import { replaceWorkers } from './replace-workers.js';

const RELOAD_MS = 60_000;
const versionSource = (version: number) => `export class ProbeVersion extends Resource {
  static loadAsInstance = false;
  get() { return { version: ${version} }; }
}
`;

export const workerChecks: readonly HarperHostCheck[] = [
  {
    name: 'lists its workers in threads, each with the index it keeps and its thread',
    async run(bench) {
      const listed = await bench.main(({ threads }) =>
        threads.flatMap(({ threadId, workerIndex }) =>
          workerIndex === undefined ? [] : [{ threadId, workerIndex }],
        ),
      );
      const workers = await bench.workers();
      expect(listed).toHaveLength(WORKERS);
      for (const { threadId } of workers)
        expect(listed).toContainEqual({ threadId, workerIndex: expect.any(Number) });
      expect(await indexesInThreads(bench)).toEqual(Array.from({ length: WORKERS }, (_, index) => index));
    },
  },
  {
    name: 'carries messages from the main thread to a worker by their type, and answers back',
    async run(bench) {
      const [at] = await bench.workers();
      if (at === undefined) throw new Error('No worker of the host answers');
      const methods = await bench.main(({ threads }) =>
        ['onMessageByType', 'sendToThread'].map((name) => typeof Reflect.get(threads, name)),
      );
      expect(methods).toEqual(['function', 'function']);
      await bench.worker(
        ({ threads }) =>
          threads.onMessageByType('probe:ping', ({ count }, from) =>
            from.postMessage({ type: 'probe:pong', count: count + 1 }),
          ),
        { at, args: [] },
      );
      const answer = await bench.main(
        ({ threads }, threadId: number) =>
          new Promise((resolve) => {
            threads.onMessageByType('probe:pong', ({ count }) => resolve(count));
            threads.sendToThread(threadId, { type: 'probe:ping', count: 7 });
          }),
        at.threadId,
      );
      expect(answer).toBe(8);
    },
  },
  {
    name: 'replaces its workers and keeps the main thread, with its memory and its timers',
    deadlineMs: RELOAD_MS,
    async run(bench) {
      const ticks = () => bench.main(({ memory }) => memory.get('ticks'));
      await bench.main(({ memory }) => {
        memory.set('ticks', 0);
        const timer = setInterval(() => memory.set('ticks', Number(memory.get('ticks')) + 1), 20);
        memory.set('stop', () => clearInterval(timer));
      });
      const { pid } = bench.host;
      await replaceWorkers(bench);
      const before = Number(await ticks());
      await vi.waitFor(async () => expect(await ticks()).toBeGreaterThan(before));
      await bench.main(({ memory }) => {
        const stop = memory.get('stop');
        if (typeof stop === 'function') stop();
      });
      expect(bench.host.pid).toBe(pid);
      const hooks = (await bench.events()).filter(({ hook }) => hook === 'startOnMainThread');
      expect(hooks).toHaveLength(1);
    },
  },
  {
    name: 'serves new code of an application from every worker after they were replaced',
    deadlineMs: RELOAD_MS * 2,
    async run(bench) {
      for (const version of [1, 2]) {
        await bench.writeApp('probe_version', versionSource(version));
        await replaceWorkers(bench);
        for (let request = 0; request < 2 * WORKERS; request++)
          expect(await bench.app('/ProbeVersion')).toEqual([200, `{"version":${version}}`]);
      }
    },
  },
  {
    name: 'answers restart_service when the new workers serve',
    deadlineMs: RELOAD_MS,
    async run(bench) {
      await bench.writeApp('probe_version', versionSource(3));
      const before = (await bench.workers()).map(({ threadId }) => threadId);
      const answer = await bench.ask({ operation: 'restart_service', service: 'http_workers' });
      try {
        expect(answer).not.toHaveProperty('job_id');
        const workers = await bench.workers();
        expect(workers.filter(({ threadId }) => !before.includes(threadId))).toHaveLength(WORKERS);
        expect(await bench.app('/ProbeVersion')).toEqual([200, '{"version":3}']);
      } finally {
        await vi.waitFor(
          async () => expect(await bench.app('/ProbeVersion')).toEqual([200, '{"version":3}']),
          {
            timeout: RELOAD_MS,
            interval: 100,
          },
        );
        await settled(bench, before);
      }
    },
  },
  {
    name: 'starts a worker again that ends by itself, at its place in threads',
    deadlineMs: RELOAD_MS,
    async run(bench) {
      const before = await bench.workers();
      const [at] = before;
      if (at === undefined) throw new Error('No worker of the host answers');
      const ending = bench.worker(() => void setImmediate(() => process.exit(7)), { at, args: [] });
      // Its answer may be lost with the thread.
      await ending.catch(() => undefined);
      await settled(bench, [at.threadId]);
      expect(await bench.send({ operation: 'describe_all' })).toMatchObject({ status: 200 });
      await vi.waitFor(
        async () =>
          expect(await indexesInThreads(bench)).toEqual(Array.from({ length: WORKERS }, (_, index) => index)),
        { timeout: 5_000, interval: 50 },
      );
    },
  },
  {
    name: 'survives what code on its main thread forgets to catch, and logs it',
    async run(bench) {
      await bench.main(() => {
        setImmediate(() => {
          throw new Error('an exception that nobody caught');
        });
        void Promise.reject(new Error('a rejection that nobody caught'));
      });
      await vi.waitFor(async () => {
        const log = await bench.log();
        expect(log).toContain('an exception that nobody caught');
        expect(log).toContain('a rejection that nobody caught');
      });
      expect(await bench.send({ operation: 'describe_all' })).toMatchObject({ status: 200 });
    },
  },
];

function indexesInThreads(bench: HarperHostBench): Promise<unknown> {
  return bench.main(({ threads }) =>
    threads.flatMap(({ workerIndex }) => workerIndex ?? []).sort((left, right) => left - right),
  );
}

/** Resolves when all workers are there and none of these threads is. */
async function settled(bench: HarperHostBench, gone: readonly number[]): Promise<void> {
  await vi.waitFor(
    async () => {
      const workers = (await bench.workers()).map(({ threadId }) => threadId);
      expect(workers).toHaveLength(WORKERS);
      expect(workers.filter((threadId) => gone.includes(threadId))).toEqual([]);
    },
    { timeout: RELOAD_MS, interval: 100 },
  );
}
