import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import type { Credentials, EmbeddedHost } from '@harperfast/agent-testkit/host';
import type { Item } from './item.js';
import type { AgentApi } from '../support/agent-api.js';
import { AGENT_OPERATIONS } from '../support/agent-operations.js';
import { onBothProfiles } from '../support/open-mcp-client.js';
import { answerOf, callsOf } from '../support/session-answer.js';
import { withAgentHost } from '../support/with-agent-host.js';

const AGENT_USER = { username: 'hdb_agent', password: 'known-now-1' };

/** V7: files outside are refused, MCP clients see nothing of the agent's own tools, only a super_user may use the agent. */
export const v7: Item = {
  name: 'V7',
  run: (verification) =>
    withAgentHost(
      verification,
      {
        model: new URL('../models/v7-model.mjs', import.meta.url),
        // With every pack of its own and no operation, the model is offered the private tools and nothing else.
        agent: { tools: ['inspector'], allowDestructive: true, operations: { allow: [] } },
        config: { mcp: { operations: { allow: ['*'] }, application: {} } },
      },
      async (host, api) => {
        const refused = await readOutside(api);
        await refuseOthers(api);
        const privateTools = await offeredTools(api);
        await api.call('alter_user', AGENT_USER);
        if (verification.mcp)
          for (const user of [host.admin, AGENT_USER]) await checkHidden(host, user, privateTools);
        return (
          `read_file('/etc/passwd') refused (${refused}), none of it in the session; ${hidden(verification.mcp, privateTools)}; a plain user gets 403 ` +
          `and nobody 401 on all ${AGENT_OPERATIONS.length} operations`
        );
      },
    ),
};

function hidden(mcp: boolean, privateTools: readonly string[]): string {
  if (!mcp) return 'no MCP on this host';
  return (
    `${privateTools.length} private tools are in no tools/list of a super_user and of the agent user on both MCP profiles, ` +
    'and refused when called'
  );
}

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
  await api.call('add_role', { role: 'plain', permission: { super_user: false } });
  await api.call('add_user', { ...plain, role: 'plain', active: true });
  for (const [name, fields] of AGENT_OPERATIONS) {
    assert.equal((await api.send(name, fields, { as: plain })).status, 403, `${name} as a plain user`);
    assert.equal((await api.send(name, fields, { as: 'nobody' })).status, 401, `${name} without credentials`);
  }
}

async function offeredTools(api: AgentApi): Promise<readonly string[]> {
  const { session_id } = await api.prompt('which tools');
  const offered = answerOf(await api.untilEnded(session_id)).split(' ');
  for (const name of ['read_file', 'write_file', 'http_fetch', 'schedule_followup', 'inspector_evaluate'])
    assert.ok(offered.includes(name), `the model is offered ${offered.join(' ')}, and not ${name}`);
  assert.ok(!offered.includes('describe_all'), 'the model is offered operations, which are not private');
  return offered;
}

async function checkHidden(
  host: EmbeddedHost,
  user: Credentials,
  privateTools: readonly string[],
): Promise<void> {
  const before = await readdir(host.componentsRoot);
  await onBothProfiles(host, user, async (client, profile) => {
    const listed = await client.listTools();
    if (profile === 'operations')
      assert.ok(listed.includes('describe_all'), `no operations are listed: ${listed.join(' ')}`);
    assert.deepEqual(
      listed.filter((name) => privateTools.includes(name)),
      [],
      `${user.username} sees private tools on the profile ${profile}`,
    );
    for (const name of privateTools) {
      const { refused, text } = await client.callTool(name, { path: 'a.txt', content: 'a' });
      assert.ok(refused, `${name} on the profile ${profile} as ${user.username} answered ${text}`);
    }
  });
  assert.deepEqual(await readdir(host.componentsRoot), before, 'a call of a private tool changed files');
}
