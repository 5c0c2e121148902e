import { setImmediate as nextTurn } from 'node:timers/promises';
import { ScriptedModel, calls, createFakeClock, reply } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from './support/start-agent.js';

/** A disk that can be full: every commit from then on fails. */
function disk() {
  const state = { broken: false, attempts: 0 };
  return {
    state,
    async prepare(host: { transaction: <Result>(work: () => Promise<Result>) => Promise<Result> }) {
      const { transaction } = host;
      host.transaction = async (work) => {
        if (!state.broken) return transaction(work);
        state.attempts++;
        throw new Error('ENOSPC: no space left on device');
      };
    },
  };
}

describe('a disk that fails', () => {
  it('is tried ever more rarely, ends no process, and when it is back the session goes on', async () => {
    const { state, ...options } = disk();
    const clock = createFakeClock();
    const model = new ScriptedModel(() => {
      state.broken = true;
      return calls({ name: 'describe_all', arguments: {} });
    });
    const { host, call } = await startAgent(model, {}, { clock, ...options });
    const { session_id } = await call('agent_prompt', { message: 'look at the schema' });
    const attemptsIn = async (seconds: number) => {
      const before = state.attempts;
      // In small steps, with turns of the event loop between: what fails needs some before it is tried again.
      for (let second = 0; second < seconds; second++) {
        await clock.advance(1000);
        await nextTurn();
      }
      return state.attempts - before;
    };
    const other = await call('agent_prompt', { message: 'look as well' }).catch((error: unknown) => error);
    const first = await attemptsIn(600);
    // At 1, 2, 4, … 32 s and then every minute, for the two sessions that could not be written.
    expect(first).toBeGreaterThan(10);
    expect(first).toBeLessThan(50);
    const later = await attemptsIn(600);
    expect(later).toBeGreaterThanOrEqual(9);
    expect(later).toBeLessThan(25);
    expect(host.log.filter((line) => line.startsWith('error')).join()).toContain('ENOSPC');
    await expect(call('agent_prompt', { message: 'anybody there?' })).rejects.toThrow('ENOSPC');
    expect(other).toBeDefined();

    state.broken = false;
    await clock.advance(2 * 60_000);
    expect(await call('get_agent_session', { session_id })).toMatchObject({
      status: 'idle',
      stop_reason: 'interrupted',
    });
  });

  it('loses nothing it had answered for', async () => {
    const { state, ...options } = disk();
    const clock = createFakeClock();
    const { call, settled } = await startAgent(
      new ScriptedModel(() => reply('hi')),
      {},
      { clock, ...options },
    );
    const { session_id } = await call('agent_prompt', { message: 'one' });
    await settled(session_id);
    state.broken = true;
    await expect(call('agent_prompt', { session_id, message: 'two' })).rejects.toThrow('ENOSPC');
    state.broken = false;
    await clock.advance(60_000);
    await call('agent_prompt', { session_id, message: 'three' });
    const { messages } = await settled(session_id);
    expect(messages).toMatchObject([
      { role: 'user', content: 'one' },
      { role: 'assistant' },
      { role: 'user', content: 'three' },
      { role: 'assistant' },
    ]);
  });
});
