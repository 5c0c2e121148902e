import { fileURLToPath } from 'node:url';
import { startHost } from '@harperfast/agent-testkit/host';
import { z } from 'zod';
import { withDataFolder } from '../engine/data-folder.js';
import { agentFolder } from './agent-folder.js';

const AT_ONCE = 50;
const START_MS = 120_000;
const EVERY_MS = 250;

const listSchema = z.object({
  sessions: z.array(z.object({ status: z.string(), totals: z.object({ rounds: z.number() }) })),
});
const loadSchema = z.object({ p99Ms: z.number(), maxMs: z.number(), cpuMs: z.number() });

/** A host with the agent as harper-pro ships it, and a model that takes 1 to 3 s for a reply. */
export interface BusyHost {
  /** Sends `describe_all` so many times, one after the other; the milliseconds each took. */
  describe(times: number): Promise<readonly number[]>;
  /** Since the last call: how late the event loop of the main thread was, and the CPU time of the host's process. */
  load(): Promise<z.infer<typeof loadSchema>>;
  /** Starts so many sessions and resolves when every one has had its first reply. */
  startSessions(count: number): Promise<void>;
  /** The replies all sessions together have had. Rejects where one does not run any more. */
  replies(): Promise<number>;
}

/** Starts the host as a process of its own, on the disk of the workspace, and ends it after `work`. */
export function withBusyHost<Result>(work: (host: BusyHost) => Promise<Result>): Promise<Result> {
  return withDataFolder(async (root) => {
    const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
    const host = await startHost({
      root,
      builtins: { agent: agentFolder().entry, load: here('./load-component.mjs') },
      config: {
        models: { generative: { default: { backend: here('./slow-model.mjs') } } },
        load: {},
        agent: {
          enabled: true,
          prices: { default: { input: 0, output: 0 } },
          maxTurns: 1_000_000,
          maxConcurrentRuns: 100_000,
        },
      },
    });
    const call = async (operation: string, fields: object = {}): Promise<unknown> => {
      const { status, body } = await host.operation({ operation, ...fields });
      if (status !== 200) throw new Error(`${operation} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    };
    const sessions = async () =>
      listSchema.parse(await call('list_agent_sessions', { limit: 1_000 })).sessions;

    try {
      return await work({
        async describe(times) {
          const took: number[] = [];
          for (let at = 0; at < times; at += 1) {
            const started = performance.now();
            await call('describe_all');
            took.push(performance.now() - started);
          }
          return took;
        },
        load: async () => loadSchema.parse(await call('main_thread_load')),
        async startSessions(count) {
          for (let started = 0; started < count; started += AT_ONCE) {
            const some = Math.min(AT_ONCE, count - started);
            await Promise.all(
              Array.from({ length: some }, () => call('agent_prompt', { message: 'watch the cluster' })),
            );
          }
          const end = Date.now() + START_MS;
          for (;;) {
            const begun = (await sessions()).filter(({ totals }) => totals.rounds > 0).length;
            if (begun === count) return;
            if (Date.now() > end) throw new Error(`Only ${begun} of ${count} sessions have begun`);
            await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
          }
        },
        async replies() {
          const found = await sessions();
          const ended = found.filter(({ status }) => status !== 'running');
          if (ended.length > 0) throw new Error(`${ended.length} sessions ended: ${ended[0]?.status}`);
          return found.reduce((sum, { totals }) => sum + totals.rounds, 0);
        },
      });
    } finally {
      await host.kill();
    }
  });
}
