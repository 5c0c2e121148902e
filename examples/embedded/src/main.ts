import { LicenceNotAccepted } from '@harperfast/agent-host-harperdb4';
import { USAGE, UsageError, parseArguments } from './parse-arguments.js';
import { runExample } from './run-example.js';

const stopped = new AbortController();
// Each time: a second Ctrl-C, or one that npm passes on, must not cut the orderly end short.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stopped.abort());

async function main(): Promise<number> {
  // npm changes the folder; INIT_CWD is the one the person is in.
  const given = parseArguments(process.argv.slice(2), process.env['INIT_CWD'] ?? process.cwd());
  if (given.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const out = given.json ? process.stderr : process.stdout;
  const summary = await runExample(given, {
    environment: process.env,
    signal: stopped.signal,
    say: (line) => out.write(`${line}\n`),
  });
  if (given.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  return !given.once || (summary.status === 'completed' && summary.checks.every(({ ok }) => ok)) ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  if (stopped.signal.aborted) process.exitCode = 130;
  else {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`);
    process.exitCode = error instanceof UsageError || error instanceof LicenceNotAccepted ? 2 : 1;
  }
}
