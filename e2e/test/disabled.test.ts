import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

describe('an agent that cannot run as configured', () => {
  it.each([
    ['a key nobody knows', { maxCostUSD: 1 }, /maxCostUSD/],
    ['a value of the wrong type', { maxTurns: 'many' }, /maxTurns/],
    ['a user that does not exist', { user: 'nobody-here' }, /nobody-here/],
  ])(
    'is off, says why in the log, and leaves the host alone: %s',
    async (_what, agent, reason) => {
      const host = await startAgentHost({ agent });
      try {
        const api = new AgentApi(host);
        expect((await api.send('agent_prompt', { message: 'say hello' })).status).toBe(400);
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
