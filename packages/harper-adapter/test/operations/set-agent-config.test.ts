import { ScriptedModel } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { startAgent } from '../support/start-agent.js';

describe('set_agent_config', () => {
  it('changes settings of the live agent, says all of them and leaves a line in the log', async () => {
    const { host, call } = await startAgent(new ScriptedModel([]), { tools: ['logs'] });
    const answer = await call('set_agent_config', { maxTurns: 3, provider: 'openai' });
    expect(answer).toMatchObject({
      enabled: true,
      user: 'hdb_agent',
      maxTurns: 3,
      maxCostUsd: 5,
      autoApprove: false,
      provider: 'openai',
      model: null,
      persisted: false,
    });
    expect(host.log.filter((line) => line.startsWith('notify:')).at(-1)).toMatch(/admin.*maxTurns, provider/);
    expect(await call('set_agent_config')).toMatchObject({ maxTurns: 3, contextWindow: null });
    const more = { resumeAfterCrash: true, contextWindow: 200_000, retentionDays: 30 };
    expect(await call('set_agent_config', more)).toMatchObject({ ...more, maxTurns: 3 });
  });

  it.each([
    [{ maxTurns: 0 }, 'maxTurns'],
    [{ maxTrns: 5 }, 'maxTrns'],
    [{ contextWindow: 10 }, 'contextWindow'],
    [{ retentionDays: -1 }, 'retentionDays'],
    [{ provider: 5 }, 'provider'],
    [{ user: 'root' }, 'user'],
    [{ enabled: false }, 'enabled'],
    [{ maxTurns: 9, httpFetch: true }, 'httpFetch'],
  ])('refuses %j and changes nothing', async (patch, field) => {
    const { call } = await startAgent(new ScriptedModel([]));
    const before = await call('set_agent_config');
    await expect(call('set_agent_config', patch)).rejects.toMatchObject({ statusCode: 400 });
    await expect(call('set_agent_config', patch)).rejects.toThrow(field);
    expect(await call('set_agent_config')).toEqual(before);
  });
});
