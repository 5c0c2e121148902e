import type { Agent } from '@harperfast/agent-core';
import type { ScriptedModel } from '@harperfast/agent-testkit';
import { onTestFinished } from 'vitest';
import { parseConfig } from '../../src/config.js';
import type { HarperAgentExtras } from '../../src/create-harper-agent.js';
import { createHarperAgent } from '../../src/create-harper-agent.js';
import { user } from './fake-server.js';
import type { TestHost } from './open-host.js';
import { openHost } from './open-host.js';

export interface StartedAgent {
  readonly host: TestHost;
  readonly agent: Agent;
  /** Calls an operation as an authenticated user: `admin` and `hdb_agent` are super_users, `bob` is not. */
  readonly call: (operation: string, body?: object, as?: string) => Promise<Record<string, unknown>>;
  /** The session once it no longer runs. */
  readonly settled: (sessionId: unknown) => Promise<Record<string, unknown>>;
}

/** An agent with its operations on a test host; both are closed when the test ends. */
export async function startAgent(
  model: ScriptedModel,
  block: object = {},
  options: HarperAgentExtras & { readonly prepare?: (host: TestHost) => Promise<void> } = {},
): Promise<StartedAgent> {
  const parsed = parseConfig({ enabled: true, prices: { default: { input: 1, output: 1 } }, ...block });
  if (!parsed.ok) throw new Error(parsed.problems.join('; '));
  const host = await openHost(model, user('bob', { super_user: false }));
  onTestFinished(() => host.close());
  const { prepare, ...extras } = options;
  await prepare?.(host);
  const agent = await createHarperAgent(host, parsed.config, extras);
  onTestFinished(() => agent.close());

  const call: StartedAgent['call'] = async (operation, body = {}, as = 'admin') =>
    Object(await host.server.call(operation, body, as));
  return {
    host,
    agent,
    call,
    async settled(sessionId) {
      for (;;) {
        const next = host.committed();
        next.catch(() => undefined);
        const session = await call('get_agent_session', { session_id: sessionId });
        if (session['status'] !== 'running') return session;
        await next;
      }
    },
  };
}
