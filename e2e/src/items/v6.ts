import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import type { Item } from './item.js';
import type { AgentApi } from '../support/agent-api.js';
import { followupsOf } from '../support/followups-of.js';
import { answerOf } from '../support/session-answer.js';
import type { SessionAnswer } from '../support/session-answer.js';
import { watchUntil } from '../support/watch-until.js';
import { withAgentHost } from '../support/with-agent-host.js';

const MINUTE = 60_000;
const MODEL = new URL('../models/v6-model.mjs', import.meta.url);
const CLOCK = new URL('../support/clock-component.mjs', import.meta.url);

/** V6: followups fire, survive `kill -9` and the restart of the host, and alert: over an hour of a clock that is moved, and over seconds. */
export const v6: Item = {
  name: 'V6',
  async run(verification) {
    const hour = await withAgentHost(verification, { model: MODEL, component: CLOCK }, overAnHour);
    const seconds = await withAgentHost(
      verification,
      { model: MODEL, agent: { followups: { minSeconds: 1 } } },
      overSeconds,
    );
    return `${hour}; ${seconds}`;
  },
};

async function overAnHour(host: EmbeddedHost, api: AgentApi): Promise<string> {
  const advance = (minutes: number) => api.call('advance_clock', { ms: minutes * MINUTE });
  const { session_id } = await api.prompt(
    'every 5 minutes for the next hour, check cluster status and alert me if a node is down',
  );
  await api.untilEnded(session_id);
  for (let slot = 1; slot <= 4; slot++) {
    await advance(4);
    assert.equal(followupsOf(await api.session(session_id)).length, slot - 1, `slot ${slot} came early`);
    await advance(1);
    await untilTaken(api, session_id, slot);
  }

  // Killed while the fifth one fires; the sixth and the seventh are due while nothing runs.
  await advance(5);
  await host.kill();
  const clock = join(host.root, 'clock');
  await writeFile(clock, String(Number(await readFile(clock, 'utf8')) + 11 * MINUTE));
  await host.start();
  const back = await untilTaken(api, session_id, 7);
  assert.match(followupsOf(back).at(-1)?.text ?? '', /earlier runs? did not take place/);

  for (let slot = 8; slot <= 12; slot++) {
    await advance(5);
    await untilTaken(api, session_id, slot);
  }
  await advance(180);
  const session = await untilTaken(api, session_id, 12);
  checkEachOnce(session);
  await checkAlert(host, session);
  const notified = (await readFile(join(host.root, 'notified'), 'utf8')).trim().split('\n');
  assert.equal(notified.length, 1, 'the notifier of the host was called once');

  await api.prompt('what came of it?', { session_id });
  const list = answerOf(await api.untilEnded(session_id));
  assert.match(list, /done at /, 'list_followups tells that it is done');
  return `${followupsOf(session).length} followups within the hour, kill -9 in the fifth, two due while down made one, one alert`;
}

async function overSeconds(host: EmbeddedHost, api: AgentApi): Promise<string> {
  const { session_id } = await api.prompt(
    'every second, check cluster status and alert me if a node is down',
  );
  await untilTaken(api, session_id, 2);
  await host.kill();
  const before = Date.now();
  await host.start();
  const session = await untilTaken(api, session_id, 9);
  checkEachOnce(session);
  await checkAlert(host, session);
  return `nine seconds with kill -9 after the second: ${followupsOf(session).length} followups, the last ${((Date.now() - before) / 1000).toFixed(1)} s after the kill`;
}

/** The session once the followup of this slot was taken and no run is at work. */
function untilTaken(api: AgentApi, sessionId: string, slot: number): Promise<SessionAnswer> {
  return api.until(
    sessionId,
    (session) => session.status !== 'running' && (followupsOf(session).at(-1)?.slot ?? 0) >= slot,
  );
}

/** No due time is there twice, and none out of order. */
function checkEachOnce(session: SessionAnswer): void {
  const slots = followupsOf(session).map(({ slot }) => slot);
  assert.deepEqual(
    slots,
    [...new Set(slots)].sort((a, b) => a - b),
  );
}

/** One alert: in the journal, in the stream of events, in the log of the host. */
async function checkAlert(host: EmbeddedHost, session: SessionAnswer): Promise<void> {
  const text = 'Node 3 does not answer: look at it';
  const alerts = session.entries.filter(({ kind }) => kind === 'alert');
  assert.deepEqual(
    alerts.map((entry) => [entry['level'], entry['text']]),
    [['critical', text]],
  );
  const events = await watchUntil(host, session.session_id, 'alert');
  assert.ok(events.includes('alert'));
  const log = await readFile(host.logPath, 'utf8');
  assert.equal(log.split(text).length - 1, 1, 'the log of the host has the alert once');
}
