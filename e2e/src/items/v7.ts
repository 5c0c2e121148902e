import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { RunnableItem } from './item.js';
import type { AgentApi } from '../support/agent-api.js';
import { AGENT_OPERATIONS } from '../support/agent-operations.js';
import { callsOf } from '../support/session-answer.js';
import { withAgentHost } from '../support/with-agent-host.js';

/** V7: files outside are refused, and only a super_user may use the agent. */
export const v7: RunnableItem = {
  name: 'V7',
  run: (ledger) =>
    withAgentHost(
      ledger,
      { model: new URL('../models/v7-model.mjs', import.meta.url) },
      async (_host, api) => {
        const refused = await readOutside(api);
        await refuseOthers(api);
        return (
          `read_file('/etc/passwd') refused (${refused}), none of it in the session; a plain user gets 403 and nobody 401 on all ` +
          `${AGENT_OPERATIONS.length} operations; not yet: what a real MCP client lists`
        );
      },
    ),
};

async function readOutside(api: AgentApi): Promise<string> {
  const { session_id } = await api.prompt('read /etc/passwd');
  const session = await api.untilEnded(session_id);
  assert.equal(session.status, 'completed', JSON.stringify(session.lastError));
  const seen = callsOf(session);
  assert.deepEqual(
    seen.map(({ name, outcome }) => `${name} ${outcome}`),
    ['read_file denied', 'read_file denied', 'read_file denied'],
  );
  const everything = JSON.stringify(session);
  const passwd = await readFile('/etc/passwd', 'utf8');
  for (const line of passwd.split('\n').filter((text) => text.length > 8)) {
    assert.ok(!everything.includes(line), 'a line of /etc/passwd is in the session');
  }
  return seen[0]?.text.split('. ')[0] ?? '';
}

async function refuseOthers(api: AgentApi): Promise<void> {
  const plain = { username: 'plain', password: 'not-super-1' };
  await api.call('add_role', { role: 'plain', permission: { super_user: false, data: { tables: {} } } });
  await api.call('add_user', { ...plain, role: 'plain', active: true });
  for (const [name, fields] of AGENT_OPERATIONS) {
    assert.equal((await api.send(name, fields, { as: plain })).status, 403, `${name} as a plain user`);
    assert.equal((await api.send(name, fields, { as: 'nobody' })).status, 401, `${name} without credentials`);
  }
}
