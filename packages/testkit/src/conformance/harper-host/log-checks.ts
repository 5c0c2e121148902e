import { access } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import type { HarperHostCheck } from './harper-host-check.js';
import type { Here } from './here.js';

const configSchema = z.looseObject({
  rootPath: z.string(),
  componentsRoot: z.string(),
  logging: z.looseObject({ root: z.string().optional() }),
  threads: z.looseObject({ count: z.unknown(), debug: z.unknown() }),
});
const LINE = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;

export const logChecks: readonly HarperHostCheck[] = [
  {
    name: 'says in server.config where its root, its components and its log are, in every thread',
    async run(bench) {
      const { host, ports } = bench;
      for (const raw of [
        await bench.main(({ server }) => server.config),
        await bench.worker(({ server }) => server.config, { args: [] }),
      ]) {
        const { rootPath, componentsRoot, logging, threads } = configSchema.parse(raw);
        expect(rootPath).toBe(host.root);
        expect(resolve(rootPath, componentsRoot)).toBe(host.componentsRoot);
        expect(resolve(rootPath, logging.root ?? 'log', 'hdb.log')).toBe(host.logPath);
        expect(threads).toMatchObject({ count: 2, debug: { startingPort: ports.startingPort } });
      }
    },
  },
  {
    name: 'has its configuration at the top of its root, as harper-config.yaml or harperdb-config.yaml',
    async run(bench) {
      const { configPath, root } = bench.host;
      expect(dirname(configPath)).toBe(root);
      expect(['harper-config.yaml', 'harperdb-config.yaml']).toContain(basename(configPath));
      await access(configPath);
    },
  },
  {
    name: 'writes each line of its log as time, thread, level, tags and message, on all threads',
    async run(bench) {
      const write = (here: Here, text: string) => {
        here.logger.error(`${text} plain`);
        here.logger.withTag('probe').warn(`${text} tagged`);
      };
      await bench.main(write, 'from main');
      await bench.worker(write, { args: ['from a worker'] });
      await vi.waitFor(async () => {
        const log = await bench.log();
        expect(log).toMatch(new RegExp(String.raw`${LINE} \[main/0\] \[error\]: from main plain$`, 'm'));
        expect(log).toMatch(
          new RegExp(String.raw`${LINE} \[main/0\] \[warn\] \[probe\]: from main tagged$`, 'm'),
        );
        expect(log).toMatch(new RegExp(String.raw`${LINE} \[http/\d\] \[error\]: from a worker plain$`, 'm'));
        expect(log).toMatch(
          new RegExp(String.raw`${LINE} \[http/\d\] \[warn\] \[probe\]: from a worker tagged$`, 'm'),
        );
      });
    },
  },
  {
    name: 'reads its log back with read_log',
    async run(bench) {
      await bench.main(({ logger }) => logger.withTag('probe').error('to be read back'));
      const found = await vi.waitFor(async () => {
        const entries = await bench.ask({ operation: 'read_log', limit: 1000, order: 'desc' });
        expect(entries).toContainEqual(expect.objectContaining({ message: 'to be read back' }));
        return z.array(z.looseObject({ message: z.string() })).parse(entries);
      });
      expect(found.find(({ message }) => message === 'to be read back')).toMatchObject({
        level: 'error',
        thread: 'main/0',
        tags: ['probe'],
        timestamp: expect.stringMatching(/^\d{4}-/),
      });
    },
  },
];
