import { buildPrograms } from '../engine/prepare.js';
import type { Goal, Report, Row } from '../report.js';
import { atMost } from '../report.js';
import { median } from '../statistics.js';
import { measureFolder } from './measure-folder.js';
import type { BusyHost } from './open-busy-host.js';
import { withBusyHost } from './open-busy-host.js';

const WARM_UP = 200;
const NOTE = 'tables of the host (LMDB)';

/** What an operator of the server feels of the agent: the operations API beside a thousand sessions, and the folder itself. */
export async function measureHost(options: {
  readonly quick: boolean;
  readonly say: (line: string) => void;
}): Promise<Report> {
  const { quick, say } = options;
  const sessions = quick ? 200 : 1_000;
  const requests = quick ? 300 : 3_000;
  say('building the measured programs');
  await buildPrograms();
  say('the folder');
  const folder = await measureFolder(quick ? 5 : 15);
  const { idle, busy } = await withBusyHost(async (host) => {
    await host.describe(WARM_UP);
    say('describe_all, idle');
    const before = await describeAll(host, requests);
    say(`starting ${sessions} sessions`);
    await host.startSessions(sessions);
    say(`describe_all, beside ${sessions} sessions`);
    return { idle: before, busy: await describeAll(host, requests) };
  });
  const row = (name: string, values: Row['values']): Row => ({
    table: `describe_all over the operations API; a reply of the model takes 1 to 3 s and calls one tool`,
    name,
    durability: NOTE,
    values,
  });
  const goals: readonly Goal[] = [
    ...folder.goals,
    atMost(
      `describe_all beside ${sessions} sessions, p99 ms, at most 1.5 × idle + 10`,
      busy['p99 ms'],
      1.5 * idle['p99 ms'] + 10,
    ),
    atMost(`event-loop delay of the main thread with ${sessions} sessions, p99 ms`, busy['delay p99 ms'], 20),
  ];
  return { rows: [row('idle', idle), row(`${sessions} sessions`, busy), ...folder.rows], goals };
}

async function describeAll(host: BusyHost, requests: number) {
  const before = await host.replies();
  await host.load();
  const started = performance.now();
  const took = (await host.describe(requests)).toSorted((a, b) => a - b);
  const seconds = (performance.now() - started) / 1_000;
  const { p99Ms, maxMs, cpuMs } = await host.load();
  return {
    requests,
    'median ms': median(took),
    'p99 ms': took[Math.floor(took.length * 0.99)] ?? Number.NaN,
    'max ms': took.at(-1) ?? Number.NaN,
    'delay p99 ms': p99Ms,
    'delay max ms': maxMs,
    'CPU %': cpuMs / seconds / 10,
    'replies/s': ((await host.replies()) - before) / seconds,
  };
}
