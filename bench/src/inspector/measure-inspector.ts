import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Goal, Report, Row } from '../report.js';
import { atLeast, atMost } from '../report.js';
import { median } from '../statistics.js';
import { openBarePause } from './bare-pause.js';
import type { LoadWorker } from './load-worker.js';
import { startLoadWorker } from './load-worker.js';
import { openTools } from './open-tools.js';

const SNAPSHOT = { path: 'worker.mjs', line: 5, expressions: ['order.items.length', 'total'] };
/** More than paths, and nothing that calls what an application has made. */
const COMPUTED = {
  ...SNAPSHOT,
  expressions: ["order.items[0].name.startsWith('item')", 'total * 2 > 10 ? order.id : total + 1'],
};
/** What V8 has to evaluate, it evaluates in a pause. */
const PAUSING = { ...SNAPSHOT, expressions: ['order.items.some((item) => item.price > 1)'] };
const HOW = new Map([
  [COMPUTED, ' with expressions'],
  [PAUSING, ' with a pause'],
]);
/** Nothing of what bounds a snapshot counts where its cost is measured. */
const UNBOUNDED = { maxHits: 10_000, hitsPerSecond: 1_000_000, pauseMs: 1_000_000 };
/** Hits a snapshot may have within a second. */
const BURST = 20;
/** Runs of what has a goal. */
const TURNS = 3;
const NONE = 'not stored';
/** The most a snapshot may take: 20 a second. Faster than that, each hit also waits until the one before is recorded. */
const BETWEEN_HITS_MS = 50;

/** What looking into a worker costs it, and what a profile costs the main thread. */
export async function measureInspector(options: {
  readonly quick: boolean;
  readonly say: (line: string) => void;
}): Promise<Report> {
  const { quick, say } = options;
  const spaced = quick ? 50 : 300;
  say('pauses that are only resumed');
  const turns = quick ? 1 : TURNS;
  const bare = await inTurns(turns, () => hitCost('bare', spaced, BETWEEN_HITS_MS));
  say('hits in process');
  const inProcess = await inTurns(turns, () => hitCost('in-process', spaced, BETWEEN_HITS_MS));
  say('hits in process, with expressions');
  const computed = await inTurns(turns, () => hitCost('in-process', spaced, BETWEEN_HITS_MS, COMPUTED));
  say('hits in process, in bursts');
  const bursts = await inTurns(turns, () => burstCost(quick ? 3 : 15));
  say('hits in process, one after the other');
  const dense = await hitCost('in-process', quick ? 100 : 1000, 0);
  say('hits in process, with a pause');
  const paused = await hitCost('in-process', spaced, BETWEEN_HITS_MS, PAUSING);
  say('hits over the port');
  const port = await hitCost('port', quick ? 20 : 100, BETWEEN_HITS_MS);
  const densePort = await hitCost('port', quick ? 20 : 100, 0);
  const pausedPort = await hitCost('port', quick ? 20 : 100, BETWEEN_HITS_MS, PAUSING);
  say('throughput of a worker');
  const throughput = await throughputRatios(quick ? 3 : 7, quick ? 500 : 2000);
  say('a profile');
  const profile = await profileCost(quick ? 2000 : 10_000);
  const rows: readonly Row[] = [
    bare.row,
    inProcess.row,
    computed.row,
    bursts.row,
    dense.row,
    paused.row,
    port.row,
    densePort.row,
    pausedPort.row,
    ...throughput.rows,
    profile.row,
  ];
  const goals: readonly Goal[] = [
    atMost('time a worker stands still for a snapshot hit in process, p99 ms', inProcess.p99, 2),
    atMost('the same with expressions that are computed, p99 ms', computed.p99, 2),
    atLeast('throughput of a worker after the last hit ÷ before', throughput.after, 0.98),
    atMost('event-loop delay on main during a profile, p99 ms', profile.p99, 20),
  ];
  return { rows, goals };
}

type HitCost = Awaited<ReturnType<typeof hitCost>>;

/** Medians of whole runs: what else a machine does takes one call in a hundred for milliseconds, in some runs. */
async function inTurns(turns: number, run: () => Promise<HitCost>): Promise<HitCost> {
  const first = await run();
  const runs = [first];
  while (runs.length < turns) runs.push(await run());
  const { row } = first;
  const of = (value: keyof HitCost['row']['values']) => median(runs.map((one) => one.row.values[value]));
  const values = {
    calls: runs.length * row.values.calls,
    'median ms': of('median ms'),
    'p99 ms': of('p99 ms'),
    'without, median ms': of('without, median ms'),
  };
  return { p99: values['p99 ms'], row: { ...row, name: `${row.name}, ${turns} runs`, values } };
}

type Stop = 'bare' | 'in-process' | 'port';

async function hitCost(stop: Stop, hits: number, everyMs: number, snapshot: typeof SNAPSHOT = SNAPSHOT) {
  const worker = await startLoadWorker({ debug: stop === 'port' });
  const opened: { close(): unknown }[] = [];
  try {
    const plain = await worker.times(hits, everyMs);
    opened.push(await openStop(stop, worker, hits, snapshot));
    const stopped = await worker.times(hits, everyMs);
    const pace = everyMs === 0 ? 'one after the other' : `every ${everyMs} ms`;
    const how = HOW.get(snapshot) ?? '';
    return hitRow(`${stop === 'bare' ? 'a pause, only resumed' : stop}${how}, ${pace}`, stopped, plain);
  } finally {
    for (const stopper of opened) await stopper.close();
    await worker.close();
  }
}

/** As a snapshot meets busy code: set anew each time, and gone after the hits it may have at once. */
async function burstCost(bursts: number) {
  const worker = await startLoadWorker({ debug: false });
  const stopped: number[] = [];
  try {
    const plain = await worker.times(BURST * 10, 0);
    for (let burst = 0; burst < bursts; burst += 1) {
      const tools = openTools(worker, 'in-process');
      await tools.call('inspector_snapshot', { ...SNAPSHOT, hits: BURST });
      const times = await worker.times(BURST * 10, 0);
      // The first to come by are the hits.
      stopped.push(...times.slice(0, BURST));
      await tools.close();
    }
    return hitRow(`in-process, bursts of ${BURST}`, stopped, plain);
  } finally {
    await worker.close();
  }
}

function hitRow(name: string, stopped: readonly number[], plain: readonly number[]) {
  const p99 = stopped.toSorted((a, b) => a - b)[Math.floor(stopped.length * 0.99)] ?? Number.NaN;
  const values = {
    calls: stopped.length,
    'median ms': median(stopped),
    'p99 ms': p99,
    'without, median ms': median(plain),
  };
  return { p99, row: { table: 'A call with a snapshot in it', name, durability: NONE, values } };
}

async function openStop(
  stop: Stop,
  worker: LoadWorker,
  hits: number,
  snapshot: typeof SNAPSHOT,
): Promise<{ close(): unknown }> {
  if (stop === 'bare') return openBarePause(worker.threadId, /worker\.mjs$/, SNAPSHOT.line);
  const tools = openTools(worker, stop, UNBOUNDED);
  await tools.call('inspector_snapshot', { ...snapshot, hits: hits * 2 });
  return tools;
}

/** In turns, so that what else the machine does falls on all three alike. */
async function throughputRatios(turns: number, ms: number) {
  const worker = await startLoadWorker({ debug: false });
  const during: number[] = [];
  const after: number[] = [];
  const plain: number[] = [];
  try {
    worker.run();
    await worker.throughput(1000);
    for (let turn = 0; turn < turns; turn += 1) {
      const before = await worker.throughput(ms);
      const tools = openTools(worker, 'in-process', { maxHits: 10_000 });
      const { data } = await tools.call('inspector_snapshot', { ...SNAPSHOT, hits: 20 });
      during.push((await worker.throughput(ms)) / before);
      await tools.call('inspector_read_hits', { id: Object(data).id });
      await tools.close();
      // A moment for V8 to optimise again what the debugger had made it forget.
      await worker.throughput(200);
      after.push((await worker.throughput(ms)) / before);
      plain.push(before);
    }
  } finally {
    await worker.close();
  }
  const row = (name: string, ratios: readonly number[]): Row => ({
    table: 'Throughput of a worker',
    name,
    durability: NONE,
    values: { 'of before': median(ratios), turns },
  });
  const rows = [
    { ...row('before', [1]), values: { 'of before': 1, turns, 'calls/s': median(plain) } },
    row('with a hot snapshot of 20 hits', during),
    row('after it removed itself', after),
  ];
  return { rows, after: median(after) };
}

async function profileCost(durationMs: number) {
  const worker = await startLoadWorker({ debug: false });
  const tools = openTools(worker, 'in-process');
  // Values hold the resolution.
  const delay = monitorEventLoopDelay({ resolution: 1 });
  try {
    worker.run();
    const before = await worker.throughput(1000);
    delay.enable();
    const profiled = tools.call('inspector_profile_cpu', { workerIndex: 0, durationMs });
    const during = await worker.throughput(durationMs / 2);
    const { data } = await profiled;
    delay.disable();
    const p99 = delay.percentile(99) / 1e6;
    const values = {
      'profile ms': durationMs,
      samples: Number(Object(data).samples),
      'delay p99 ms': p99,
      'delay max ms': delay.max / 1e6,
      'throughput of before': during / before,
    };
    return {
      p99,
      row: { table: 'Main thread during a profile', name: 'in-process', durability: NONE, values },
    };
  } finally {
    await tools.close();
    await worker.close();
  }
}
