// The agent as a host component whose time stands still until the operation `advance_clock` moves it, and whose alerts
// are also written to a file. The time survives the process: it is kept in the host's root folder.
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createFakeClock } from '@harperfast/agent-testkit';

const { startOnMainThread: startAgent } = await import(pathToFileURL(process.env.AGENT_MODULE));

export async function startOnMainThread(options) {
  const { server } = options;
  const { rootPath } = server.config;
  const file = join(rootPath, 'clock');
  const stored = await readFile(file, 'utf8').catch(() => undefined);
  const clock = createFakeClock(stored === undefined ? undefined : Number(stored));
  server.registerOperation({
    name: 'advance_clock',
    requiresSuperUser: true,
    async execute({ ms }) {
      await clock.advance(ms);
      await writeFile(file, String(clock.now()));
      return { now: clock.now() };
    },
  });
  await writeFile(file, String(clock.now()));
  await startAgent(options, {
    clock,
    notify: (alert) => appendFile(join(rootPath, 'notified'), `${JSON.stringify(alert)}\n`),
  });
}
