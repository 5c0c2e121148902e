import { describe, expect, it } from 'vitest';
import { createMemoryStore } from '@harperfast/agent-core';
import { calls, createFakeClock, fails, hangs, reply } from '@harperfast/agent-testkit';
import type { Scenario } from '@harperfast/agent-testkit';
import { createMemoryFollowupStore } from '../src/index.js';
import { createMortal } from './support/mortal.js';
import { openAgent } from './support/open-agent.js';
import { DAY, MINUTE } from './support/open-scheduler.js';

const schedule = (input: object) => calls({ name: 'schedule_followup', arguments: { ...input } });

/** Told to watch, it schedules; each followup is answered by what `steps` say. */
const watching = (when: object, steps: Scenario['steps'] = [reply('all is well')]): Scenario[] => [
  { when: 'look at it', steps },
  { when: 'watch it', steps: [schedule({ prompt: 'look at it', ...when }), reply('I will')] },
  { when: 'go on', steps: [reply('gone on')] },
];

describe('followups of a session', () => {
  it('run every five minutes for an hour, and the session alerts', async () => {
    let looks = 0;
    const alert = {
      name: 'alert_operator',
      arguments: { level: 'critical', message: 'Node 3 is down' },
    };
    const look: Scenario['steps'][number] = () => (++looks === 7 ? calls(alert) : reply(`look ${looks}`));
    const opened = openAgent({
      scenarios: watching({ every: '5m', until: '1h' }, [look, reply('the operator knows')]),
    });
    await opened.start();
    const { sessionId } = await opened.agent.prompt({ message: 'watch it', by: 'ann' });
    await opened.clock.advance(3 * 60 * MINUTE);
    const taken = await opened.taken(sessionId);
    expect(taken).toHaveLength(12);
    expect(new Set(taken).size).toBe(12);
    const entries = await opened.entries(sessionId);
    expect(entries.filter(({ kind }) => kind === 'alert')).toMatchObject([
      { level: 'critical', text: 'Node 3 is down' },
    ]);
    expect(entries.filter(({ kind }) => kind === 'end')).toHaveLength(13);
    expect((await opened.agent.get(sessionId)).header.status).toBe('completed');
  });

  it('end with a cancel, with a delete, and do not come back at a restart', async () => {
    const first = openAgent({ scenarios: watching({ every: '5m' }) });
    await first.start();
    const ids: string[] = [];
    for (const by of ['ann', 'ben']) {
      ids.push((await first.agent.prompt({ message: 'watch it', by })).sessionId);
      await first.clock.advance(MINUTE);
    }
    const [cancelled = '', deleted = ''] = ids;
    await first.agent.cancel(cancelled, 'ann');
    await first.agent.delete(deleted, 'ben');
    await first.clock.advance(DAY);
    expect(await first.store.list()).toMatchObject([{ sessionId: cancelled, state: 'cancelled' }]);
    await first.agent.close();
    const next = openAgent({ ...first, scenarios: watching({ every: '5m' }) });
    await next.start();
    await next.clock.advance(DAY);
    expect(await next.taken(cancelled)).toEqual([]);
  });

  it('are refused by a session that was cancelled and whose followups an early end of the process left', async () => {
    const store = createMemoryFollowupStore();
    const opened = openAgent({
      store,
      scenarios: [...watching({ in: '5m' }), { when: 'hang', steps: [hangs()] }],
    });
    await opened.start();
    const { sessionId } = await opened.agent.prompt({ message: 'watch it', by: 'ann' });
    await opened.clock.advance(MINUTE);
    const left = await store.list();
    await opened.agent.prompt({ sessionId, message: 'hang', by: 'ann' });
    await opened.clock.advance(0);
    await opened.agent.cancel(sessionId, 'ann');
    for (const followup of left) await store.write(followup, 0);
    await opened.agent.close();

    const next = openAgent({ ...opened, scenarios: [] });
    await next.start();
    await next.clock.advance(DAY);
    expect(await next.taken(sessionId)).toEqual([]);
    expect(await store.list()).toMatchObject([{ state: 'cancelled' }]);
  });

  it('tell of a run that failed, and of one that was interrupted', async () => {
    const failing = fails(Object.assign(new Error('401: the key is not valid'), { statusCode: 401 }));
    const first = openAgent({
      scenarios: [
        { when: 'look again', steps: [hangs()] },
        { when: 'look at it', steps: [failing] },
        {
          when: 'watch it',
          steps: [
            schedule({ prompt: 'look at it', in: '1m' }),
            schedule({ prompt: 'look again', in: '2m' }),
            reply('I will'),
          ],
        },
      ],
    });
    await first.start();
    const { sessionId } = await first.agent.prompt({ message: 'watch it', by: 'ann' });
    await first.clock.advance(90_000);
    expect((await first.agent.get(sessionId)).header).toMatchObject({
      status: 'error',
      stopReason: 'model_error',
    });
    await first.clock.advance(MINUTE);
    expect((await first.agent.get(sessionId)).header.status).toBe('running');
    await first.agent.close();

    const next = openAgent({
      ...first,
      scenarios: [
        { when: 'what came', steps: [calls({ name: 'list_followups', arguments: {} }), reply('seen')] },
      ],
    });
    await next.start();
    await next.agent.prompt({ sessionId, message: 'what came of it?', by: 'ann' });
    await next.clock.advance(0);
    const listed = (await next.entries(sessionId)).findLast((entry) => entry.kind === 'result');
    expect(listed?.kind === 'result' ? listed.text : '').toMatch(
      /done at 2030-01-01T00:02:00Z, 1 done, the run of \S+ ended with interrupted[^]*done at 2030-01-01T00:01:00Z, 1 done, the run of \S+ ended with model_error: .*401/,
    );
  });

  it('stop when the budget is used up, with one alert, and go on after the next prompt of an operator', async () => {
    const opened = openAgent({
      scenarios: watching({ every: '1m', times: 60 }),
      prices: { price: () => ({ input: 0, output: 100 }) },
      settings: { maxCostUsd: 0.01, maxTokens: 50 },
    });
    await opened.start();
    const { sessionId } = await opened.agent.prompt({ message: 'watch it', by: 'ann' });
    await opened.clock.advance(30 * MINUTE);
    const { header } = await opened.agent.get(sessionId);
    expect(header).toMatchObject({ status: 'error', stopReason: 'budget' });
    expect(header.totals.costMicros).toBeLessThanOrEqual(10_000);
    const count = (await opened.taken(sessionId)).length;
    expect(count).toBeLessThan(20);
    const alerts = async () => (await opened.entries(sessionId)).filter(({ kind }) => kind === 'alert');
    expect(await alerts()).toMatchObject([{ level: 'warning' }]);

    opened.agent.setConfig({ maxCostUsd: 1 });
    await opened.clock.advance(10 * MINUTE);
    expect(await opened.taken(sessionId)).toHaveLength(count);
    await opened.agent.prompt({ sessionId, message: 'go on', by: 'ann' });
    await opened.clock.advance(5 * MINUTE);
    expect((await opened.taken(sessionId)).length).toBeGreaterThan(count + 3);
    expect(await alerts()).toHaveLength(1);
  });

  it('that make the next one again and again, for nothing, are stopped after so many without an operator', async () => {
    const again = schedule({ prompt: 'look at it', in: '10s' });
    const opened = openAgent({
      scenarios: watching({ in: '10s' }, [again, reply('once more')]),
      settings: { maxUnattendedRuns: 25 },
    });
    await opened.start();
    const { sessionId } = await opened.agent.prompt({ message: 'watch it', by: 'ann' });
    await opened.clock.advance(60 * MINUTE);
    expect(await opened.taken(sessionId)).toHaveLength(25);
    const alerts = (await opened.entries(sessionId)).filter(({ kind }) => kind === 'alert');
    expect(alerts).toMatchObject([{ text: expect.stringContaining('maxUnattendedRuns is 25') }]);
    await opened.agent.prompt({ sessionId, message: 'go on', by: 'ann' });
    await opened.clock.advance(60 * MINUTE);
    expect(await opened.taken(sessionId)).toHaveLength(50);
  });

  it('cannot be piled up', async () => {
    const many = Array.from({ length: 30 }, (_, index) => ({
      name: 'schedule_followup',
      arguments: { prompt: `look at it ${index}`, in: '1h' },
    }));
    const opened = openAgent({ scenarios: [{ when: 'watch it', steps: [calls(...many), reply('done')] }] });
    await opened.start();
    const { sessionId } = await opened.agent.prompt({ message: 'watch it', by: 'ann' });
    await opened.clock.advance(MINUTE);
    const results = (await opened.entries(sessionId)).filter((entry) => entry.kind === 'result');
    expect(results.filter(({ outcome }) => outcome === 'ok')).toHaveLength(20);
    expect(results.filter(({ text }) => text.includes('20 is the limit'))).toHaveLength(10);
  });
});

describe('a process that dies at any of its writes', () => {
  // 20 writes cover the scheduling and two firings with their runs; with the last one, nothing dies.
  const deaths = Array.from({ length: 21 }, (_, index) => index + 1).flatMap((nth) =>
    (['before', 'after'] as const).map((moment) => ({ nth, moment })),
  );

  it.each(deaths)('has each prompt once in the journal: $moment write $nth', async ({ nth, moment }) => {
    const scenarios = watching({ every: '1m', times: 2 });
    const sessions = createMemoryStore();
    const store = createMemoryFollowupStore();
    const mortal = createMortal(nth, moment);
    const first = openAgent({
      scenarios,
      sessions: mortal.wrap(sessions, ['create', 'append', 'delete']),
      store: mortal.wrap(store, ['write', 'delete']),
    });
    await first.start();
    await first.agent.prompt({ message: 'watch it', by: 'ann', messageId: 'start' }).catch(() => undefined);
    await first.clock.advance(10 * MINUTE);
    expect(mortal.dead).toBe(nth <= 20);

    const next = openAgent({ scenarios, sessions, store, clock: createFakeClock(first.clock.now()) });
    await next.start();
    await next.clock.advance(10 * MINUTE);
    const [header] = (await sessions.list({ limit: 1 })).items;
    const taken = header === undefined ? [] : await next.taken(header.id);
    const [row] = await store.list();
    expect(new Set(taken).size).toBe(taken.length);
    // Before the schedule is stored nothing can be lost. A due time that passed while nothing ran is spoken for by the
    // next one; the last one always comes.
    expect(taken).toHaveLength(row?.delivered ?? 0);
    expect(taken.slice(-1)).toEqual(row === undefined ? [] : [`${row.id}:2`]);
    expect(row?.state ?? 'done').toBe('done');
    expect((await sessions.list({ status: 'running', limit: 1 })).items).toEqual([]);
  });
});
