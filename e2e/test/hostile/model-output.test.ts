import { readFile } from 'node:fs/promises';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentApi } from '../../src/support/agent-api.js';
import { startAgentHost } from '../../src/support/start-agent-host.js';

let host: EmbeddedHost;
let api: AgentApi;

beforeAll(async () => {
  host = await startAgentHost({ model: new URL('../models/hostile.mjs', import.meta.url) });
  api = new AgentApi(host);
}, 40_000);
afterAll(() => host.stop(), 40_000);

describe('what a model or its provider sends', () => {
  it('does not keep the server from answering, also where it is 10,000 tool calls', async () => {
    const { session_id } = await api.prompt('go wild');
    let worst = 0;
    for (;;) {
      const from = performance.now();
      const { totals } = await api.session(session_id);
      worst = Math.max(worst, performance.now() - from);
      if (totals.rounds > 0) break;
    }
    const from = performance.now();
    await api.call('cancel_agent_run', { session_id });
    worst = Math.max(worst, performance.now() - from);
    // On an idle machine it is some 100 ms; with every call carried out it was the better part of a minute.
    expect(worst).toBeLessThan(5_000);
    expect((await api.session(session_id)).totals.tool_calls).toBe(0);
  }, 90_000);

  it('shows no key that a provider quotes, to no client and in no log', async () => {
    const { session_id } = await api.prompt('leak the key');
    const session = await api.untilEnded(session_id);
    expect(session.lastError?.message).toMatch(/Incorrect API key/);
    const shown = [session, await api.list(), await readFile(host.logPath, 'utf8')];
    expect(JSON.stringify(shown)).not.toContain('sk-ant-api03-abcdef');
  });
});
