import { monitorEventLoopDelay } from 'node:perf_hooks';

/**
 * A built-in component: the operation `main_thread_load` tells how long the event loop of the main thread was kept from
 * other work, and what CPU time the process took, since the last call.
 */
export function startOnMainThread({ server }) {
  let delay;
  let cpu = process.cpuUsage();
  server.registerOperation({
    name: 'main_thread_load',
    requiresSuperUser: true,
    async execute() {
      const { user, system } = process.cpuUsage(cpu);
      const [p99Ms, maxMs] = [delay?.percentile(99) ?? 0, delay?.max ?? 0].map((nanos) => nanos / 1e6);
      delay?.disable();
      // A new one: a reset monitor drops its next sample.
      delay = monitorEventLoopDelay({ resolution: 1 });
      delay.enable();
      cpu = process.cpuUsage();
      return { p99Ms, maxMs, cpuMs: (user + system) / 1_000 };
    },
  });
}
