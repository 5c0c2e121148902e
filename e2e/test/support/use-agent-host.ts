import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll } from 'vitest';
import { AgentApi } from '../../src/support/agent-api.js';
import type { AgentHostOptions } from '../../src/support/start-agent-host.js';
import { startAgentHost } from '../../src/support/start-agent-host.js';

const BOOT_MS = 40_000;

/** One host for all tests of a file, with the table `note`; inserts ask for approval. */
export function useAgentHost(agent: AgentHostOptions['agent'] = {}) {
  let running: { readonly host: EmbeddedHost; readonly api: AgentApi } | undefined;
  beforeAll(async () => {
    const model = new URL('../models/scenarios.mjs', import.meta.url);
    const host = await startAgentHost({ model, agent: { approvals: { insert: 'ask' }, ...agent } });
    running = { host, api: new AgentApi(host) };
    await running.api.call('create_table', { database: 'data', table: 'note', primary_key: 'id' });
  }, BOOT_MS);
  afterAll(() => running?.host.stop(), BOOT_MS);

  const get = () => {
    if (running === undefined) throw new Error('The host did not start');
    return running;
  };
  return {
    get host() {
      return get().host;
    },
    get api() {
      return get().api;
    },
    /** How many rows of the table `note` have this text. */
    async notes(text: string): Promise<number> {
      const rows = await get().api.call('search_by_value', {
        database: 'data',
        table: 'note',
        attribute: 'text',
        value: text,
      });
      return Array.isArray(rows) ? rows.length : Number.NaN;
    },
  };
}
