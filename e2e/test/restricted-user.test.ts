import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { STUB_MODEL } from './support/stub-model.js';
import { callsOf } from '../src/support/session-answer.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

const INSERT = {
  name: 'insert',
  arguments: { database: 'data', table: 'note', records: [{ text: 'by the agent' }] },
};
const LOOK = {
  name: 'search_by_value',
  arguments: { database: 'data', table: 'note', attribute: 'text', value: 'by the agent' },
};

let host: EmbeddedHost;
let api: AgentApi;
let pid: number;

beforeAll(async () => {
  host = await startAgentHost({
    model: STUB_MODEL,
    agent: { autoApprove: true, allowDestructive: true },
  });
  pid = host.pid;
  api = new AgentApi(host);
  await api.call('create_table', { database: 'data', table: 'note', primary_key: 'id' });
  await api.call('add_role', { role: 'limited', permission: rights({ read: true, insert: false }) });
  await api.call('alter_user', { username: 'hdb_agent', role: 'limited' });
}, 60_000);
afterAll(() => host.stop(), 40_000);

function rights({ read, insert }: { readonly read: boolean; readonly insert: boolean }) {
  const note = { read, insert, update: false, delete: false, attribute_permissions: [] };
  return { super_user: false, data: { tables: { note } } };
}

async function setRights(permission: object): Promise<void> {
  const roles = await api.call('list_roles');
  const role = Array.isArray(roles) ? roles.find((found) => Object(found).role === 'limited') : undefined;
  await api.call('alter_role', { id: Object(role).id, role: 'limited', permission });
}

/** The model makes these calls, one a round; resolves with what came of them. */
async function calling(...made: readonly object[]) {
  const { session_id } = await api.prompt(`call ${JSON.stringify(made.map((call) => [call]))}`);
  return callsOf(await api.untilEnded(session_id));
}

const notes = async () => {
  const found = await api.call('search_by_value', LOOK.arguments);
  return Array.isArray(found) ? found.length : Number.NaN;
};

describe('an agent user whose role limits it', () => {
  it('is refused at the call what its role forbids, whatever the model names', async () => {
    const seen = await calling(
      LOOK,
      INSERT,
      { name: 'drop_table', arguments: { database: 'data', table: 'note' } },
      { name: 'add_role', arguments: { role: 'more', permission: { super_user: true } } },
      { name: 'alter_user', arguments: { username: 'hdb_agent', role: 'super_user' } },
      { name: 'write_file', arguments: { path: 'app/resources.js', content: 'export const a = 1;' } },
    );
    expect(seen.map(({ name, outcome }) => [name, outcome === 'ok'])).toEqual([
      ['search_by_value', true],
      ['insert', false],
      ['drop_table', false],
      ['add_role', false],
      ['alter_user', false],
      ['write_file', false],
    ]);
    expect(await notes()).toBe(0);
    expect(JSON.stringify(await api.call('list_roles'))).not.toContain('"more"');
  });

  it('may do it with the next call once the role is granted it, and no longer once it is revoked', async () => {
    await setRights(rights({ read: true, insert: true }));
    expect(await calling(INSERT)).toMatchObject([{ name: 'insert', outcome: 'ok' }]);
    expect(await notes()).toBe(1);
    await setRights(rights({ read: true, insert: false }));
    const [refused] = await calling(INSERT);
    expect(refused?.outcome).not.toBe('ok');
    expect(refused?.text).toMatch(/hdb_agent|insert/);
    expect(await notes()).toBe(1);
  });

  it('is refused what was approved when its role changed before the decision', async () => {
    await setRights(rights({ read: true, insert: true }));
    await api.call('set_agent_config', { approvals: { insert: 'ask' } });
    const { session_id } = await api.prompt(`call ${JSON.stringify([[INSERT]])}`);
    await api.untilAwaiting(session_id);
    await setRights(rights({ read: true, insert: false }));
    const { session } = await api.approveToTheEnd(session_id);
    expect(callsOf(session).map(({ outcome }) => outcome)).not.toContain('ok');
    expect(await notes()).toBe(1);
    expect(host.pid).toBe(pid);
  });
});
