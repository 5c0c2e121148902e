import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { AGENT_OPERATIONS } from '../src/support/agent-operations.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

const model = new URL('models/scenarios.mjs', import.meta.url);

describe('an agent that is switched off', () => {
  it('has no operation, no table and no user, and says nothing', async () => {
    const host = await startAgentHost({ agent: { enabled: false } });
    try {
      const api = new AgentApi(host);
      for (const [name, fields] of AGENT_OPERATIONS) {
        expect([name, (await api.send(name, fields)).status]).toEqual([name, 400]);
      }
      expect(JSON.stringify(await api.call('list_users'))).not.toContain('hdb_agent');
      expect(await readFile(host.logPath, 'utf8')).not.toMatch(/agent (is|component)/i);
    } finally {
      await host.stop();
    }
  }, 40_000);
});

describe('an agent that cannot run as configured', () => {
  it.each([
    ['a key nobody knows', { maxCostUSD: 1 }, /maxCostUSD/],
    ['a value of the wrong type', { maxTurns: 'many' }, /maxTurns/],
    ['a user that does not exist', { user: 'nobody-here' }, /nobody-here.*add_user/],
    ['a model that does not exist', { model: 'gpt-9' }, /gpt-9.*logical names default/],
  ])(
    'is off, says why in the log and in its answers, and leaves the host alone: %s',
    async (_what, agent, reason) => {
      const host = await startAgentHost({ model, agent });
      try {
        const api = new AgentApi(host);
        for (const [name, fields] of AGENT_OPERATIONS) {
          expect([name, await api.send(name, fields)]).toEqual([
            name,
            { status: 503, body: { error: expect.stringMatching(reason), code: 'agent_disabled' } },
          ]);
        }
        await api.call('describe_all');
        const log = await readFile(host.logPath, 'utf8');
        const line = log.split('\n').find((text) => text.includes('The agent is disabled'));
        expect(line).toMatch(reason);
        expect(log).not.toContain('Agent component initialized');
      } finally {
        await host.stop();
      }
    },
    40_000,
  );
});
