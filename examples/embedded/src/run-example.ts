import { once } from 'node:events';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import type { SessionAnswer, SessionEntry } from './agent-client.js';
import { createAgentClient } from './agent-client.js';
import { DEFAULT_PROMPT, checkResult } from './check-result.js';
import { chooseModel } from './choose-model.js';
import { curlLines } from './curl-lines.js';
import { decidePending } from './decide-pending.js';
import { describeEntry } from './describe-entry.js';
import { followSession } from './follow-session.js';
import type { ExampleArguments } from './parse-arguments.js';
import { startEmbedded } from './start-embedded.js';
import type { Summary } from './summarize.js';
import { summarize } from './summarize.js';

/** What the example needs from the process it runs in. */
export interface ExampleProcess {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborted by Ctrl-C: the host is stopped in order. */
  readonly signal: AbortSignal;
  /** A line for people. */
  readonly say: (line: string) => void;
}

/** A run with `--once` may take this long. */
const ONCE_MS = 600_000;

/**
 * Boots the host, sends the prompt, shows the session live and checks the outcome; without `once` it then waits for
 * the signal. The host is stopped however this ends. Resolves with what came of the run.
 */
export async function runExample(
  given: ExampleArguments,
  { environment, signal, say }: ExampleProcess,
): Promise<Summary> {
  const model = chooseModel(environment);
  const host = await startEmbedded(model, { ...given, say });
  try {
    const name = given.host === 'harperdb' ? 'HarperDB 4.7' : 'Harper stand-in';
    say(`${name}: operations ${host.operationsUrl}  applications ${host.appUrl}  files ${host.root}`);
    say(`The model: ${model.label}`);
    const limit = given.once ? AbortSignal.any([signal, AbortSignal.timeout(ONCE_MS)]) : signal;
    const summary = await watchRun(host, given, limit, say);
    if (!given.once) {
      say(['', ...curlLines(host, summary.session_id), '', 'The host stays up. Ctrl-C ends it.'].join('\n'));
      if (!signal.aborted) await once(signal, 'abort');
    }
    return summary;
  } finally {
    await host.stop();
  }
}

async function watchRun(
  host: EmbeddedHost,
  { prompt = DEFAULT_PROMPT, once: unattended }: ExampleArguments,
  signal: AbortSignal,
  say: (line: string) => void,
): Promise<Summary> {
  const client = createAgentClient(host);
  const { session_id: sessionId } = await client.prompt(prompt);
  say(`Session ${sessionId}\n`);
  const entries: SessionEntry[] = [];
  const session: SessionAnswer = await followSession({
    client,
    sessionId,
    signal,
    onEntry(entry) {
      entries.push(entry);
      const text = describeEntry(entry);
      if (text !== undefined) say(text);
    },
    onPending: (pending) => decidePending(pending, { client, host, sessionId, unattended, say }),
  });
  const checks = await checkResult(host, session, prompt);
  say(`\nIn all $${session.cost_usd.toFixed(6)}. Checked by the example itself:`);
  for (const { name, ok, seen } of checks) say(`  ${ok ? 'ok    ' : 'FAILED'} ${name} (${seen})`);
  return summarize(session, entries, checks);
}
