import { ScriptedModel, calls, createFakeClock, reply, scriptByPrompt } from '@harperfast/agent-testkit';
import type { Scenario } from '@harperfast/agent-testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OperatorAlert } from '../src/notify/announce-alerts.js';
import { parseConfig } from '../src/config.js';
import { createHarperAgent } from '../src/create-harper-agent.js';
import type { TestHost } from './support/open-host.js';
import { openHost } from './support/open-host.js';
import { startAgent } from './support/start-agent.js';

const MINUTE = 60_000;

const schedule = (input: object) => calls({ name: 'schedule_followup', arguments: { ...input } });
const watching = (when: object, steps: Scenario['steps'] = [reply('all is well')]) =>
  new ScriptedModel(
    scriptByPrompt([
      { when: 'look at it', steps },
      { when: 'watch it', steps: [schedule({ prompt: 'look at it', ...when }), reply('I will')] },
      { when: 'which tools', steps: [(request) => reply(request.tools.map(({ name }) => name).join(' '))] },
    ]),
  );

async function rowsOf(host: TestHost): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  for await (const row of host.tables.table('system', 'hdb_agent_followup').search({})) rows.push(row);
  return rows;
}

/** Moves the clock minute by minute; the tables are real, so each minute waits until the session is quiet. */
async function minutes(
  { host, settled }: Awaited<ReturnType<typeof startAgent>>,
  clock: ReturnType<typeof createFakeClock>,
  sessionId: unknown,
  count: number,
) {
  for (let minute = 0; minute < count; minute++) {
    await clock.advance(MINUTE);
    await quiet(host, clock.now());
    await settled(sessionId);
  }
}

/** Resolves when no row says that its prompt is being handed over, and none is overdue. */
async function quiet(host: TestHost, now: number): Promise<void> {
  for (;;) {
    const next = host.committed();
    next.catch(() => undefined);
    const rows = await rowsOf(host);
    if (!rows.some(({ state, dueAt }) => state === 'firing' || (state === 'pending' && Number(dueAt) <= now)))
      return;
    await next;
  }
}

function followupsOf(session: Record<string, unknown>): string[] {
  const entries: { kind: string; source?: string; messageId?: string }[] = Object(session['entries']);
  return entries.flatMap(({ kind, source, messageId }) =>
    kind === 'prompt' && source === 'followup' ? [messageId ?? ''] : [],
  );
}

describe('followups on a host', () => {
  it('come when they are due, and an alert reaches the journal, the log and the notifier', async () => {
    const clock = createFakeClock();
    const alerts: OperatorAlert[] = [];
    const raise = {
      name: 'alert_operator',
      arguments: { level: 'critical', message: 'node 3 is\ndown, key sk-ant-REDACTED' },
    };
    const started = await startAgent(
      watching({ every: '5m', times: 3 }, [calls(raise), reply('told')]),
      {},
      {
        clock,
        notify: (alert) => void alerts.push(alert),
      },
    );
    const { session_id } = await started.call('agent_prompt', { message: 'watch it' });
    await started.settled(session_id);
    await minutes(started, clock, session_id, 5);
    const session = await started.call('get_agent_session', { session_id, after_seq: 0 });
    expect(followupsOf(session)).toHaveLength(1);
    expect(session['entries']).toContainEqual(
      expect.objectContaining({
        kind: 'alert',
        level: 'critical',
        text: expect.stringMatching(/^node 3 is\ndown/),
      }),
    );
    expect(session['alerts']).toMatchObject([{ level: 'critical' }]);
    expect(alerts).toMatchObject([{ sessionId: session_id, level: 'critical' }]);
    expect(started.host.log).toContainEqual(
      expect.stringMatching(
        `^notify: Agent alert \\(critical\\) in session ${String(session_id)}: node 3 is down`,
      ),
    );
    await minutes(started, clock, session_id, 20);
    expect(followupsOf(await started.call('get_agent_session', { session_id, after_seq: 0 }))).toHaveLength(
      3,
    );
    expect(await rowsOf(started.host)).toMatchObject([{ session_id, state: 'done' }]);
  });

  it('wait, and cost nothing, while the agent has no user to act as', async () => {
    const clock = createFakeClock();
    const started = await startAgent(watching({ in: '5m' }), {}, { clock });
    const { host, call, settled } = started;
    const { session_id } = await call('agent_prompt', { message: 'watch it' });
    await settled(session_id);
    const user = host.server.users.get('hdb_agent')!;
    host.server.users.delete('hdb_agent');
    const told = () =>
      host.log.some((line) => /^warn: Followup .*not delivered.*no user 'hdb_agent'/.test(line));
    const committed = host.committed();
    await clock.advance(5 * MINUTE);
    for (let next = committed; !told(); next = host.committed()) await next;
    expect(followupsOf(await call('get_agent_session', { session_id, after_seq: 0 }))).toEqual([]);
    host.server.users.set('hdb_agent', user);
    await minutes(started, clock, session_id, 6);
    expect(followupsOf(await call('get_agent_session', { session_id, after_seq: 0 }))).toHaveLength(1);
  });

  it('end with a cancel of the session, and their rows with its delete', async () => {
    const clock = createFakeClock();
    const started = await startAgent(watching({ every: '5m' }), {}, { clock });
    const { session_id } = await started.call('agent_prompt', { message: 'watch it' });
    await started.settled(session_id);
    expect(await rowsOf(started.host)).toHaveLength(1);
    await started.call('cancel_agent_run', { session_id });
    expect(await rowsOf(started.host)).toMatchObject([{ state: 'cancelled' }]);
    await started.call('agent_prompt', { session_id, message: 'watch it' });
    await started.settled(session_id);
    await minutes(started, clock, session_id, 5);
    await started.call('delete_agent_session', { session_id });
    expect(await rowsOf(started.host)).toEqual([]);
    await clock.advance(60 * MINUTE);
    expect(await started.call('list_agent_sessions')).toMatchObject({ sessions: [] });
  });

  it('do not come, and are not on offer, while they are switched off; then they are late', async () => {
    const clock = createFakeClock();
    const host = await openHost(watching({ in: '5m' }));
    onTestFinished(() => host.close());
    const open = async (block: object) => {
      const parsed = parseConfig({ enabled: true, prices: { default: { input: 1, output: 1 } }, ...block });
      if (!parsed.ok) throw new Error(parsed.problems.join('; '));
      const agent = await createHarperAgent(host, parsed.config, { clock });
      onTestFinished(() => agent.close());
      return agent;
    };
    const ended = async (agent: Awaited<ReturnType<typeof open>>, id: string, seq: number) => {
      for (let view = await agent.get(id); ; view = await agent.get(id)) {
        if (view.header.seq >= seq && view.header.status !== 'running') return view;
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const first = await open({});
    const { sessionId } = await first.prompt({ message: 'watch it', by: 'admin' });
    const { seq } = (await ended(first, sessionId, 1)).header;
    await first.close();

    const off = await open({ followups: false });
    await clock.advance(60 * MINUTE);
    const asked = await off.prompt({ message: 'which tools', by: 'admin' });
    const { messages } = await ended(off, asked.sessionId, 1);
    expect(messages.at(-1)?.content).not.toMatch(/followup|alert_operator/);
    expect((await off.get(sessionId)).header.seq).toBe(seq);
    await off.close();

    const on = await open({ followups: { graceSeconds: 7200 } });
    const view = await ended(on, sessionId, seq + 1);
    const prompt = view.entries.find(({ kind, seq: at }) => kind === 'prompt' && at > seq);
    expect(prompt).toMatchObject({ source: 'followup', text: expect.stringContaining('It comes 55m late.') });
  });

  it('keep no secret that is known', async () => {
    const clock = createFakeClock();
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    const model = new ScriptedModel(
      scriptByPrompt([
        {
          when: 'watch it',
          steps: [schedule({ prompt: `log in with ${secret}`, in: '5m' }), reply('I will')],
        },
      ]),
    );
    const started = await startAgent(model, {}, { clock });
    const { session_id } = await started.call('agent_prompt', { message: 'watch it' });
    await started.settled(session_id);
    const rows = JSON.stringify(await rowsOf(started.host));
    expect(rows).toContain('log in with');
    expect(rows).not.toContain(secret);
  });

  it('shows no part of a secret where a list of them shortens the prompt', async () => {
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a';
    const prompt = `${'x'.repeat(180)} ${secret} and more`;
    const model = new ScriptedModel(
      scriptByPrompt([
        {
          when: 'watch it',
          steps: [
            schedule({ prompt, in: '5m' }),
            calls({ name: 'list_followups', arguments: {} }),
            reply('I will'),
          ],
        },
      ]),
    );
    const started = await startAgent(model, {}, { clock: createFakeClock() });
    const { session_id } = await started.call('agent_prompt', { message: 'watch it' });
    const session = JSON.stringify(await started.settled(session_id));
    expect(session).toContain('This session has 1 followup');
    expect(session).not.toContain(secret.slice(0, 8));
    expect(JSON.stringify(model.requests)).not.toContain(secret.slice(0, 8));
  });

  it('come although a client uses the message id they will have', async () => {
    const clock = createFakeClock();
    const started = await startAgent(watching({ in: '5m' }), {}, { clock });
    const { session_id } = await started.call('agent_prompt', { message: 'watch it' });
    await started.settled(session_id);
    const [row] = await rowsOf(started.host);
    const message_id = `${String(row?.['id'])}:1`;
    await started.call('agent_prompt', { session_id, message_id, message: 'which tools' });
    await started.settled(session_id);
    await minutes(started, clock, session_id, 6);
    const session = await started.call('get_agent_session', { session_id, after_seq: 0 });
    expect(followupsOf(session)).toEqual([message_id]);
  });

  it('leaves the agent running when its notifier fails', async () => {
    const clock = createFakeClock();
    const raise = calls({ name: 'alert_operator', arguments: { level: 'info', message: 'look here' } });
    const model = new ScriptedModel(scriptByPrompt([{ when: 'alert', steps: [raise, reply('told')] }]));
    const started = await startAgent(
      model,
      {},
      {
        clock,
        notify: async () => {
          throw new Error('the pager is down');
        },
      },
    );
    const { session_id } = await started.call('agent_prompt', { message: 'alert' });
    expect(await started.settled(session_id)).toMatchObject({ status: 'completed' });
    expect(started.host.log).toContainEqual(
      expect.stringMatching(/^error: .*not notified.*the pager is down/),
    );
  });
});
