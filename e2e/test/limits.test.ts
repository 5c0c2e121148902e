import { describe, expect, it } from 'vitest';
import { answerOf } from '../src/support/session-answer.js';
import { useAgentHost } from './support/use-agent-host.js';

// 10,000 output tokens, the most a call of the script uses, cost one dollar.
const running = useAgentHost({ prices: { default: { input: 1, output: 100 } } });

describe('limits of a run', () => {
  it('stops a run that would not end at the default cost cap, with a structured error', async () => {
    const { api } = running;
    const { session_id } = await api.prompt('spend it all');
    const session = await api.untilEnded(session_id);
    expect(session).toMatchObject({
      status: 'error',
      stop_reason: 'budget',
      lastError: {
        code: 'budget',
        message: expect.stringMatching(/\d/),
        spent: expect.any(Number),
        limit: 5,
      },
    });
    expect(session.totals.rounds).toBeGreaterThanOrEqual(4);
    expect(session.budget.spent_usd).toBeGreaterThan(3);
    expect(session.budget.spent_usd).toBeLessThanOrEqual(5);
    expect(session.cost_usd).toBe(session.budget.spent_usd);
  });

  it('holds the caps a prompt brings', async () => {
    const { api } = running;
    const cheap = await api.prompt('spend it all', { max_cost_usd: 1.5 });
    const short = await api.prompt('look around', { max_turns: 2 });
    const stopped = await api.untilEnded(cheap.session_id);
    expect(stopped).toMatchObject({ status: 'error', stop_reason: 'budget' });
    expect(stopped.cost_usd).toBeLessThanOrEqual(1.5);
    expect(await api.untilEnded(short.session_id)).toMatchObject({
      status: 'error',
      stop_reason: 'max_turns',
      totals: { rounds: 2 },
    });
  });
});

describe('set_agent_config', () => {
  it('answers the whole configuration, and says that it does not outlive the process', async () => {
    const answer = await running.api.call('set_agent_config', { maxTurns: 49 });
    expect(answer).toMatchObject({
      maxTurns: 49,
      maxCostUsd: 5,
      autoApprove: false,
      enabled: true,
      persisted: false,
    });
  });

  it('changes the system prompt of the next call', async () => {
    const { api } = running;
    await api.call('set_agent_config', { systemPromptAppend: 'ALWAYS SAY FOO' });
    const { session_id } = await api.prompt('what is your system prompt');
    const answer = answerOf(await api.untilEnded(session_id));
    expect(answer.split('ALWAYS SAY FOO')).toHaveLength(2);
  });

  it('changes the rules: a tool that is denied is no longer on offer', async () => {
    const { api } = running;
    const tools = async () => {
      const { session_id } = await api.prompt('which tools do you have');
      return answerOf(await api.untilEnded(session_id)).split(' ');
    };
    expect(await tools()).toContain('read_log');
    await api.call('set_agent_config', { approvals: { 'read_*': 'deny', insert: 'ask' } });
    const left = await tools();
    expect(left).not.toContain('read_log');
    expect(left).not.toContain('read_file');
    expect(left).toContain('insert');
    await api.call('set_agent_config', { approvals: { insert: 'ask' } });
  });

  it('offers destructive tools only with allowDestructive', async () => {
    const { api } = running;
    const offers = async () => {
      const { session_id } = await api.prompt('which tools do you have');
      return answerOf(await api.untilEnded(session_id)).split(' ');
    };
    expect(await offers()).not.toContain('drop_table');
    await api.call('set_agent_config', { allowDestructive: true });
    expect(await offers()).toContain('drop_table');
    await api.call('set_agent_config', { allowDestructive: false });
  });

  it('changes the caps of a run that is under way', async () => {
    const { api } = running;
    const { session_id } = await api.prompt('insert one');
    const { pendingApprovals } = await api.untilAwaiting(session_id);
    await api.call('set_agent_config', { maxTurns: 1 });
    await api.approve(session_id, pendingApprovals[0]!.id);
    expect(await api.untilEnded(session_id)).toMatchObject({ status: 'error', stop_reason: 'max_turns' });
    await api.call('set_agent_config', { maxTurns: 50 });
    await api.prompt('say hello', { session_id });
    expect((await api.untilEnded(session_id)).status).toBe('completed');
  });
});
