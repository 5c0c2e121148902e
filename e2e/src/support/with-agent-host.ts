import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { AgentApi } from './agent-api.js';
import type { AgentHostOptions } from './start-agent-host.js';
import { startAgentHost } from './start-agent-host.js';
import type { Verification } from './verification.js';

/** Costs nothing, and may: under a cap of 0 USD no call that costs anything is made. */
const FREE = { prices: { default: { input: 0, output: 0 } }, maxCostUsd: 0 };

/**
 * Runs a check against a host of its own, then books what its sessions used and stops it. The agent has a cap of
 * 0 USD unless `agent` says otherwise.
 */
export async function withAgentHost<Result>(
  { build, start, ledger }: Verification,
  options: AgentHostOptions,
  check: (host: EmbeddedHost, api: AgentApi) => Promise<Result>,
): Promise<Result> {
  const host = await startAgentHost({
    build,
    ...(start === undefined ? {} : { start }),
    ...options,
    agent: { ...FREE, ...options.agent },
  });
  try {
    const api = new AgentApi(host);
    const result = await check(host, api);
    ledger.add(await used(api));
    return result;
  } finally {
    await host.stop();
  }
}

async function used(api: AgentApi) {
  const { status } = await api.send('list_agent_sessions');
  const sessions = status === 200 ? (await api.list({ limit: 1000 })).sessions : [];
  return {
    hosts: 1,
    sessions: sessions.length,
    modelCalls: sessions.reduce((sum, { totals }) => sum + totals.rounds, 0),
    costUsd: sessions.reduce((sum, { cost_usd }) => sum + cost_usd, 0),
  };
}
