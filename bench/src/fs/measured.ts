import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

/** What is asked of a measured process: the name of a job, and its details. */
export interface Job {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** How often it is done, one after the other; the time is that of one. For jobs of a few milliseconds. */
  readonly times?: number;
}

/** Does jobs and tells how many lines or paths it found, so that nobody is fast by finding nothing. */
export type Jobs = Readonly<Record<string, (input: Job['input']) => Promise<number>>>;

/**
 * The measured process's side: answers each job with its time, what it did to the event loop meanwhile, and how much
 * memory more it took at its peak.
 */
export function serveJobs(jobs: Jobs): void {
  process.on('message', ({ name, input, times = 1 }: Job) => {
    measure(times, () => {
      const job = jobs[name];
      if (job === undefined) throw new Error(`no job ${name}`);
      return job(input);
    }).then(
      (values) => process.send?.({ values }),
      (error: unknown) => process.send?.({ error: String(error) }),
    );
  });
}

async function measure(times: number, work: () => Promise<number>): Promise<Record<string, number>> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  // The first samples are those of its own start.
  await pause(10);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 5);
  const start = performance.now();
  let found = 0;
  for (let done = 0; done < times; done++) found = await work();
  const ms = (performance.now() - start) / times;
  clearInterval(watch);
  peak = Math.max(peak, process.memoryUsage.rss());
  delay.disable();
  return { ms, found, p99: delay.percentile(99) / 1e6, rss: (peak - before) / 2 ** 20 };
}
