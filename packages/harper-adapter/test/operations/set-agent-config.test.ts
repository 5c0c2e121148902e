import { ScriptedModel, calls } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { blockSchema } from '../../src/config.js';
import { startAgent } from '../support/start-agent.js';

const GENERATIVE = {
  default: { backend: 'anthropic', model: 'claude-sonnet-4-6' },
  coder: { backend: 'openai', model: 'gpt-5.5' },
};
const withModels = {
  prepare: async (host: object) =>
    void Object.assign(host, { config: () => ({ models: { generative: GENERATIVE } }) }),
};

describe('set_agent_config', () => {
  it('changes settings of the live agent, says all of them and leaves a line in the log', async () => {
    const { host, call } = await startAgent(new ScriptedModel([]), {
      tools: ['logs'],
      notify: { url: 'https://hooks.example/secret-path', headers: { authorization: 'Bearer secret-token' } },
    });
    const patch = { maxTurns: 3, autoApprove: 'true', systemPromptAppend: 'Be brief.' };
    expect(await call('set_agent_config', patch)).toMatchObject({
      enabled: true,
      user: 'hdb_agent',
      tools: ['logs'],
      maxTools: 64,
      maxTurns: 3,
      maxCostUsd: 5,
      maxToolResultBytes: 65_536,
      autoApprove: true,
      provider: null,
      model: null,
      persisted: false,
      node: 'node-1',
    });
    expect(host.log.filter((line) => line.startsWith('notify:')).at(-1)).toMatch(
      /changed by admin, until restart: maxTurns 50 → 3, autoApprove false → true, systemPromptAppend$/,
    );
    const lines = host.log.length;
    const now = await call('set_agent_config');
    expect(now).toMatchObject({ maxTurns: 3, contextWindow: null });
    expect(Object.keys(now)).toEqual(expect.arrayContaining(Object.keys(blockSchema.shape)));
    expect(JSON.stringify(now)).not.toMatch(/secret-(path|token)/);
    expect(host.log).toHaveLength(lines);
    const more = {
      resumeAfterCrash: true,
      contextWindow: 200_000,
      retentionDays: 30,
      maxToolResultBytes: 2048,
    };
    expect(await call('set_agent_config', more)).toMatchObject({ ...more, maxTurns: 3 });
  });

  it.each([
    [{ maxTurns: 0 }, 'agent.maxTurns is 0, and must be a whole number from 1'],
    [{ maxTrns: 5 }, "agent has unknown key 'maxTrns', did you mean 'maxTurns'?"],
    [{ contextWindow: 10 }, 'agent.contextWindow is 10, and must be a whole number from 1000'],
    [{ retentionDays: -1 }, 'agent.retentionDays is -1, and must be a number from 0'],
    [{ provider: 5 }, 'agent.provider is 5, and must be a text that is not empty'],
    [{ approvals: { 'x*': 'allow' } }, "agent.approvals has 'allow' for a pattern"],
    [{ model: null }, 'agent.model is null, and must be a text'],
    [{ maxTurns: 9, httpFetch: true }, 'agent.httpFetch is read when the process starts'],
    [{ maxTurns: 9, autoApprove: 'maybe' }, "agent.autoApprove is 'maybe', and must be true or false"],
  ])('refuses %j and changes nothing', async (patch, problem) => {
    const { call } = await startAgent(new ScriptedModel([]));
    const before = await call('set_agent_config');
    await expect(call('set_agent_config', patch)).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringContaining(`Nothing was changed: ${problem}`),
    });
    expect(await call('set_agent_config')).toEqual(before);
  });

  it('names the file to edit for each key that is read at the start, and all that is wrong at once', async () => {
    const { host, call } = await startAgent(new ScriptedModel([]));
    const error: unknown = await call('set_agent_config', {
      user: 'root',
      enabled: false,
      maxTurns: -1,
    }).catch((reason: unknown) => reason);
    expect(String(error)).toContain(
      `agent.user is read when the process starts: change it in '${host.paths.config}'`,
    );
    expect(String(error)).toMatch(/agent\.enabled is read.*agent\.maxTurns is -1/);
  });

  it('changes what a run at work sends and may do next', async () => {
    const seen: string[] = [];
    const { call, settled } = await startAgent(
      new ScriptedModel([
        async (request) => {
          seen.push(request.system);
          await call('set_agent_config', { systemPromptAppend: 'ALWAYS SAY FOO', maxTurns: 2 });
          return calls({ name: 'describe_all', arguments: {} });
        },
        (request) => {
          seen.push(request.system);
          return calls({ name: 'describe_all', arguments: {} });
        },
      ]),
    );
    const { session_id } = await call('agent_prompt', { message: 'look around' });
    expect(await settled(session_id)).toMatchObject({ status: 'error', stop_reason: 'max_turns' });
    expect(seen.map((system) => system.split('ALWAYS SAY FOO').length - 1)).toEqual([0, 1]);
  });

  it('takes a model by its logical name or by what the provider calls it, and no other', async () => {
    const { host, call } = await startAgent(new ScriptedModel([]), {}, withModels);
    expect(await call('set_agent_config', { model: 'gpt-5.5' })).toMatchObject({ model: 'coder' });
    expect(await call('set_agent_config', { provider: 'openai' })).toMatchObject({
      model: 'coder',
      provider: 'openai',
    });
    const before = await call('set_agent_config');
    await expect(call('set_agent_config', { model: 'gpt-9', maxTurns: 1 })).rejects.toMatchObject({
      statusCode: 400,
      message: expect.stringMatching(/'gpt-9'.*default, coder/),
    });
    expect(await call('set_agent_config')).toEqual(before);
    expect(host.log.join()).not.toContain('gpt-9');
  });

  it('goes by the provider where no model is named', async () => {
    const { call } = await startAgent(new ScriptedModel([]), { provider: 'openai' }, withModels);
    expect(await call('set_agent_config')).toMatchObject({ model: 'coder', provider: 'openai' });
    expect(await call('set_agent_config', { provider: 'anthropic' })).toMatchObject({ model: 'default' });
  });

  it('warns of what becomes risky, and not of what was', async () => {
    const { host, call } = await startAgent(new ScriptedModel([]), {
      allowDestructive: true,
      httpFetch: true,
    });
    const warnings = () => host.log.filter((line) => line.startsWith('warn: Agent: '));
    expect(warnings()).toEqual([expect.stringContaining('httpFetch is true')]);
    await call('set_agent_config', { autoApprove: true });
    await call('set_agent_config', { maxTurns: 9 });
    expect(warnings().slice(1)).toEqual([expect.stringContaining('autoApprove with allowDestructive')]);
  });
});
