import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Contender, ContenderModule } from './contender.js';
import type { Workload } from './workload.js';

// The measured process: opens one contender and does what its parent asks, one task after the other. It loads nothing
// that the contender does not need itself.
const [moduleFile = '', variant = '', folder = ''] = process.argv.slice(2);

interface Task {
  readonly name: string;
  readonly turns: number;
  readonly sessions: number;
  readonly modelMs: number;
}

type Numbers = Readonly<Record<string, number | undefined>>;

const tasks: Readonly<Record<string, (contender: Contender, task: Task) => Promise<Numbers>>> = {
  turns: measureTurns,
  sessions: measureSessions,
  pause: measurePause,
  resume: measureResume,
};

/** One session, nothing beside it. */
async function measureTurns(contender: Contender, { turns, modelMs }: Task): Promise<Numbers> {
  const writtenBefore = bytesWritten();
  const started = performance.now();
  await contender.run({ turns, modelMs });
  const micros = (performance.now() - started) * 1_000;
  const written = bytesWritten();
  return {
    microsPerTurn: micros / turns,
    bytesWritten: written === undefined || writtenBefore === undefined ? undefined : written - writtenBefore,
  };
}

/** Many sessions at once. */
async function measureSessions(contender: Contender, { sessions, turns, modelMs }: Task): Promise<Numbers> {
  const runAll = (count: number, workload: Workload): Promise<unknown> =>
    Promise.all(Array.from({ length: count }, () => contender.run(workload)));
  await runAll(Math.ceil(sessions / 20), { turns, modelMs: 1 });
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const cpuBefore = process.cpuUsage();
  delay.enable();
  const started = performance.now();
  await runAll(sessions, { turns, modelMs });
  const totalMs = performance.now() - started;
  delay.disable();
  const cpu = process.cpuUsage(cpuBefore);
  return {
    totalMs,
    delayP99Ms: delay.percentile(99) / 1e6,
    delayMaxMs: delay.max / 1e6,
    cpuMicrosPerTurn: (cpu.user + cpu.system) / (sessions * turns),
    peakRssMb: process.resourceUsage().maxRSS / 1_024,
  };
}

/** From the model's reply that calls for an approval until the pause is on disk. */
async function measurePause(contender: Contender, { turns }: Task): Promise<Numbers> {
  if (contender.pause === undefined) throw new Error(`${moduleFile} cannot pause`);
  let asked = 0;
  const onModelCall = (): void => {
    asked = performance.now();
  };
  await contender.pause({ turns, modelMs: 0, approvalAt: turns - 1, onModelCall });
  return { pauseMs: performance.now() - asked };
}

/** From the start of this process until the approved call has run and the model is asked again. */
async function measureResume(contender: Contender, { turns }: Task): Promise<Numbers> {
  if (contender.resume === undefined) throw new Error(`${moduleFile} cannot resume`);
  let asked: number | undefined;
  const onModelCall = (turn: number): void => {
    if (turn !== turns) throw new Error(`The model was asked for turn ${turn}, not for turn ${turns}`);
    asked ??= performance.now();
  };
  await contender.resume({ turns, modelMs: 0, approvalAt: turns - 1, onModelCall });
  return { resumedMs: asked };
}

/** Bytes this process has handed to write calls, where the system tells. */
function bytesWritten(): number | undefined {
  try {
    const count = /^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1];
    return count === undefined ? undefined : Number(count);
  } catch {
    return undefined;
  }
}

const { open }: ContenderModule = await import(new URL(moduleFile, import.meta.url).href);
const opened = open({ variant, folder });

process.on('message', (task: Task) => {
  void (async () => {
    try {
      const measure = tasks[task.name];
      if (measure === undefined) throw new Error(`There is no task '${task.name}'`);
      process.send?.({ values: await measure(await opened, task) });
    } catch (error) {
      process.send?.({ error: error instanceof Error ? (error.stack ?? error.message) : String(error) });
    }
  })();
});

process.on('disconnect', () => {
  void opened.then((contender) => contender.close()).finally(() => process.exit());
});
