import { describe, expect, it, onTestFinished } from 'vitest';
import type { Tool, ToolContext, ToolOutput } from '@harperfast/agent-core/contracts';
import { createFakeClock } from '@harperfast/agent-testkit';
import { describeToolProvider } from '@harperfast/agent-testkit/conformance';
import { createMemoryFollowupStore, deliveryText, scheduleTools } from '../src/index.js';
import type { Alert, Delivery } from '../src/index.js';

describeToolProvider('scheduleTools', () => ({
  provider: scheduleTools({
    store: createMemoryFollowupStore(),
    clock: createFakeClock(),
    deliver: async () => {},
    alert: async () => {},
  }),
  samples: {
    schedule_followup: [
      { prompt: 'check', in: '5m' },
      { prompt: 'check', every: '5m', times: 3 },
    ],
    list_followups: [{}],
    cancel_followup: [{ id: 'f1' }],
    alert_operator: [{ level: 'warning', message: 'A node is down' }],
  },
}));

const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

function openTools(sessionId = 's1') {
  const clock = createFakeClock();
  const deliveries: Delivery[] = [];
  const alerts: Alert[] = [];
  let ids = 0;
  const provider = scheduleTools({
    store: createMemoryFollowupStore(),
    clock,
    deliver: async (delivery) => void deliveries.push(delivery),
    alert: async (alert) => void alerts.push(alert),
    newId: () => `f${++ids}`,
  });
  onTestFinished(() => provider.close());
  const context = (session: string): ToolContext => ({
    sessionId: session,
    callId: 'c1',
    caller: { user: 'hdb_agent' },
    signal: new AbortController().signal,
    logger: quiet,
  });
  async function call(name: string, input: unknown, session = sessionId): Promise<ToolOutput> {
    const tools: readonly Tool[] = await provider.tools({ user: 'hdb_agent' });
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`No tool ${name}`);
    return tool.execute(tool.input.parse(input), context(session));
  }
  return { provider, clock, deliveries, alerts, call };
}

describe('schedule_followup', () => {
  it('says when it will run, for how long, and what time it is', async () => {
    const { call } = openTools();
    expect(
      (await call('schedule_followup', { prompt: 'check the cluster', every: '5m', until: '1h' })).text,
    ).toBe(
      'Scheduled followup f1: next at 2030-01-01T00:05:00Z (in 5m), every 5m until 2030-01-01T01:00:00Z, 12 to come. It is 2030-01-01T00:00:00Z now.',
    );
  });

  it('delivers to the session that asked', async () => {
    const { call, clock, deliveries } = openTools();
    await call('schedule_followup', { prompt: 'one', in: '5m' }, 's1');
    await call('schedule_followup', { prompt: 'two', in: '5m' }, 's2');
    await clock.advance(300_000);
    expect(deliveries).toMatchObject([
      { sessionId: 's1', prompt: 'one' },
      { sessionId: 's2', prompt: 'two' },
    ]);
  });

  it.each([
    [{ prompt: '   ', in: '5m' }, 'The prompt is blank'],
    [{ prompt: 'ü'.repeat(8193), in: '5m' }, 'The prompt has 16386 bytes, and 16384 is the limit'],
    [{ prompt: 'check' }, 'give one of in, at and every'],
    [{ prompt: 'check', in: '5m', every: '5m' }, 'in and every exclude each other'],
  ])('refuses %j and stores nothing', async (input, message) => {
    const { call } = openTools();
    await expect(call('schedule_followup', input)).rejects.toThrow(message);
    expect((await call('list_followups', {})).text).toContain('This session has no followups.');
  });

  it.each([
    { prompt: 'check', delayMs: 'soon' },
    { prompt: 'check', in: 5 },
    { in: '5m' },
    { prompt: 'check', every: '5m', times: 0 },
  ])('does not let %j past its schema', async (input) => {
    const { call } = openTools();
    await expect(call('schedule_followup', input)).rejects.toMatchObject({ name: 'ZodError' });
  });
});

describe('list_followups', () => {
  it('shows only its own session, with prompts, and says what it shortened', async () => {
    const { call } = openTools();
    await call('schedule_followup', { prompt: `${'a'.repeat(199)}🎈${'b'.repeat(100)}`, in: '5m' });
    await call('schedule_followup', { prompt: 'secret of another', in: '5m' }, 's2');
    const { text, truncated } = await call('list_followups', {});
    expect(text).toBe(
      `This session has 1 followup: It is 2030-01-01T00:00:00Z now.\n- f1: next at 2030-01-01T00:05:00Z (in 5m)\n  "${'a'.repeat(199)}"… (102 more characters)`,
    );
    expect(truncated).toBe(true);
  });

  it('counts what was done', async () => {
    const { call, clock } = openTools();
    await call('schedule_followup', { prompt: 'check', every: '5m', times: 12 });
    await clock.advance(10 * 60_000);
    expect((await call('list_followups', {})).text).toContain('10 to come, 2 done');
  });
});

describe('cancel_followup', () => {
  it('cancels its own', async () => {
    const { call, clock, deliveries } = openTools();
    await call('schedule_followup', { prompt: 'check', every: '5m' });
    expect((await call('cancel_followup', { id: 'f1' })).text).toBe('Followup f1 is cancelled.');
    await clock.advance(86_400_000);
    expect(deliveries).toEqual([]);
  });

  it("names its own when asked for another session's", async () => {
    const { call } = openTools();
    await call('schedule_followup', { prompt: 'check', in: '5m' }, 's2');
    await expect(call('cancel_followup', { id: 'f1' })).rejects.toThrow(
      'This session has no followup "f1": it has none',
    );
  });
});

describe('alert_operator', () => {
  const alert = { level: 'warning', message: 'A node is down' };

  it('hands the alert to the host', async () => {
    const { call, alerts } = openTools();
    expect((await call('alert_operator', alert)).text).toBe('The operator is alerted (warning).');
    expect(alerts).toEqual([{ sessionId: 's1', level: 'warning', text: 'A node is down' }]);
  });

  it('is refused after twenty within an hour, for each session by itself', async () => {
    const { call, alerts, clock } = openTools();
    for (let index = 0; index < 20; index++) await call('alert_operator', alert);
    await expect(call('alert_operator', alert)).rejects.toMatchObject({ code: 'alert_limit' });
    await call('alert_operator', alert, 's2');
    await clock.advance(3_600_000);
    await call('alert_operator', alert);
    expect(alerts).toHaveLength(22);
  });

  it.each([{ level: 'fatal', message: 'x' }, { level: 'info', message: '  ' }, { level: 'info' }])(
    'does not let %j past its schema',
    async (input) => {
      const { call } = openTools();
      await expect(call('alert_operator', input)).rejects.toMatchObject({ name: 'ZodError' });
    },
  );

  it('is not there where the host takes no alerts', async () => {
    const provider = scheduleTools({
      store: createMemoryFollowupStore(),
      clock: createFakeClock(),
      deliver: async () => {},
    });
    const tools = await provider.tools({ user: 'hdb_agent' });
    expect(tools.map(({ name }) => name)).not.toContain('alert_operator');
  });
});

describe('sessionEnded', () => {
  it('cancels what the session had scheduled', async () => {
    const { provider, call, clock, deliveries } = openTools();
    await call('schedule_followup', { prompt: 'check', every: '5m' });
    await provider.sessionEnded?.('s1', 'cancelled');
    await clock.advance(86_400_000);
    expect(deliveries).toEqual([]);
    expect((await call('list_followups', {})).text).toContain('cancelled at');
    await provider.sessionEnded?.('s1', 'deleted');
    expect((await call('list_followups', {})).text).toContain('has no followups');
  });
});

describe('deliveryText', () => {
  const due: Delivery = {
    deliveryId: 'f1:1',
    followupId: 'f1',
    sessionId: 's1',
    prompt: 'check the cluster',
    dueAt: Date.UTC(2030, 0, 1, 0, 5),
    missed: 0,
  };

  it('names the followup and its time', () => {
    expect(deliveryText(due, due.dueAt)).toBe(
      '[Followup f1, due at 2030-01-01T00:05:00Z.]\ncheck the cluster',
    );
  });

  it('says what was missed and how late it is', () => {
    expect(deliveryText({ ...due, missed: 2 }, due.dueAt + 180_000)).toBe(
      '[Followup f1, due at 2030-01-01T00:05:00Z. It comes 3m late. 2 earlier runs did not take place; this one stands for all.]\ncheck the cluster',
    );
  });
});
