import { createFakeClock } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import type { OpenedAgent } from '../src/supervise-agent.js';
import { superviseAgent } from '../src/supervise-agent.js';

function setUp() {
  const clock = createFakeClock();
  const errors: string[] = [];
  const nothing = () => undefined;
  const logger = {
    debug: nothing,
    info: nothing,
    warn: nothing,
    error: (line: string) => void errors.push(line),
  };
  let outcome: () => Promise<OpenedAgent> = async () => {
    throw new Error('no user');
  };
  const seen = { starts: 0, closes: 0 };
  const agent: OpenedAgent = Object({
    agent: { close: async () => void seen.closes++ },
    context: { node: 'n1' },
  });
  const supervised = superviseAgent(
    () => {
      seen.starts++;
      return outcome();
    },
    { clock, logger },
  );
  return {
    clock,
    errors,
    seen,
    agent,
    supervised,
    next: (then: () => Promise<OpenedAgent>) => void (outcome = then),
  };
}

const disabled = (reason: string) => ({
  code: 'agent_disabled',
  statusCode: 503,
  message: `The agent is disabled: ${reason}`,
});

describe('superviseAgent', () => {
  it('answers 503 with the reason, looks again at most once a second, and logs each reason once', async () => {
    const { clock, errors, seen, supervised, next } = setUp();
    for (let call = 0; call < 3; call++) {
      await expect(supervised.context()).rejects.toMatchObject(disabled('no user'));
    }
    expect(seen.starts).toBe(1);
    await clock.advance(999);
    await expect(supervised.context()).rejects.toMatchObject(disabled('no user'));
    expect(seen.starts).toBe(1);
    await clock.advance(1);
    await expect(supervised.context()).rejects.toMatchObject(disabled('no user'));
    expect(seen.starts).toBe(2);
    expect(errors).toEqual(['The agent is disabled: no user']);

    next(async () => Promise.reject(new Error('no role')));
    await clock.advance(1000);
    await expect(supervised.context()).rejects.toMatchObject(disabled('no role'));
    expect(errors).toEqual(['The agent is disabled: no user', 'The agent is disabled: no role']);
  });

  it('starts by itself on the first call after the reason is gone, once for all who ask meanwhile', async () => {
    const { clock, seen, agent, supervised, next } = setUp();
    await supervised.context().catch(() => undefined);
    await clock.advance(1000);
    next(async () => agent);
    const contexts = await Promise.all([supervised.context(), supervised.context(), supervised.context()]);
    expect(contexts).toEqual([agent.context, agent.context, agent.context]);
    await clock.advance(60_000);
    await supervised.context();
    expect(seen.starts).toBe(2);
  });

  it('closes an agent that was about to start, and starts none afterwards', async () => {
    const { seen, agent, supervised, next } = setUp();
    let finish = (): void => undefined;
    next(() => new Promise((resolve) => (finish = () => resolve(agent))));
    const asked = supervised.context();
    const closing = supervised.close();
    expect(seen.closes).toBe(0);
    finish();
    await Promise.all([asked, closing]);
    expect(seen).toEqual({ starts: 1, closes: 1 });
    await expect(supervised.context()).rejects.toMatchObject(disabled('it has been stopped'));
    expect(seen.starts).toBe(1);
  });

  it('closes one that never started', async () => {
    const { supervised } = setUp();
    await supervised.context().catch(() => undefined);
    await supervised.close();
  });
});
