import { setTimeout as delay } from 'node:timers/promises';
import type { SessionAnswer, SessionEntry } from './agent-client.js';
import { createAgentClient } from './agent-client.js';
import { DEFAULT_PROMPT, checkResult } from './check-result.js';
import { chooseModel } from './choose-model.js';
import { curlLines } from './curl-lines.js';
import { decidePending } from './decide-pending.js';
import type { DecideOptions } from './decide-pending.js';
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
const BETWEEN_LOOKS_MS = 500;

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
    const client = createAgentClient(host);
    const { session_id: sessionId } = await client.prompt(given.prompt ?? DEFAULT_PROMPT);
    say(`Session ${sessionId}\n`);
    const watched: DecideOptions = { client, host, sessionId, unattended: given.once, say };
    const entries: SessionEntry[] = [];
    const session = await watchRun(watched, limit, entries);
    const checks = await checkResult(host, session, given.prompt ?? DEFAULT_PROMPT);
    say(`\nIn all $${session.cost_usd.toFixed(6)}. Checked by the example itself:`);
    for (const check of checks) say(`  ${check.ok ? 'ok    ' : 'FAILED'} ${check.name} (${check.seen})`);
    if (!given.once) {
      say(['', ...curlLines(host, sessionId), '', 'The host stays up. Ctrl-C ends it.'].join('\n'));
      await watchOn(watched, signal, entries);
    }
    return summarize(session, entries, checks);
  } finally {
    await host.stop();
  }
}

/** Shows the session from the last of these entries on, to the end of its run, and adds what it shows. */
function watchRun(
  watched: DecideOptions,
  signal: AbortSignal,
  entries: SessionEntry[],
): Promise<SessionAnswer> {
  return followSession({
    ...watched,
    signal,
    afterSeq: entries.at(-1)?.seq ?? 0,
    onEntry(entry) {
      entries.push(entry);
      const text = describeEntry(entry);
      if (text !== undefined) watched.say(text);
    },
    onPending: (pending) => decidePending(pending, watched),
  });
}

/** Shows what later prompts make of the session, until the signal. */
async function watchOn(watched: DecideOptions, signal: AbortSignal, entries: SessionEntry[]): Promise<void> {
  while (!signal.aborted) {
    // Somebody may have deleted the session, or be restarting the host.
    await watchRun(watched, signal, entries).catch(() => undefined);
    await delay(BETWEEN_LOOKS_MS, undefined, { signal }).catch(() => undefined);
  }
}
