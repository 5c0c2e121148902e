// The agent inside a running Harper server, with a model that costs nothing. What the server has to be configured with, and
// which assumption about Harper each test settles: docs/harper-pro.md. The tests change users, roles and components of the
// server and restart it: use one that holds nothing else. `node --test integrationTests/agent/agent.test.mjs`
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import {
  add,
  admin,
  agentUser,
  appUrl,
  approveAll,
  basic,
  call,
  listTools,
  operationsUrl,
  resultsOf,
  run,
  send,
  sessionOf,
  settled,
  until,
} from './harper.mjs';

const OPERATIONS = [
  ['agent_prompt', { message: 'hello' }],
  ['get_agent_session', { session_id: 'ses_none' }],
  ['list_agent_sessions', {}],
  ['cancel_agent_run', { session_id: 'ses_none' }],
  ['approve_agent_action', { session_id: 'ses_none', approval_id: 'apr_none' }],
  ['set_agent_config', { maxTurns: 3 }],
];
const plain = { username: 'agent_test_plain', password: 'not-super-1' };
const insert = (text) => ({
  name: 'insert',
  arguments: { database: 'data', table: 'agent_test_note', records: [{ text }] },
});
const outcomes = (session) => resultsOf(session).map(({ outcome }) => outcome);

before(async () => {
  await until(
    () => call('set_agent_config', {}),
    () => true,
  );
  const { body } = await send('describe_table', { database: 'data', table: 'agent_test_note' });
  if (body.name === undefined)
    await call('create_table', { database: 'data', table: 'agent_test_note', primary_key: 'id' });
  await call('alter_user', agentUser);
  await add('add_role', { role: plain.username, permission: { super_user: false } });
  await add('add_user', { ...plain, role: plain.username, active: true });
});

describe('the agent in a Harper server', () => {
  it('component: is loaded instead of the agent Harper brings, and says so in the log', async () => {
    const config = await call('set_agent_config', {});
    assert.equal(config.persisted, false);
    const log = JSON.stringify(await call('read_log', { limit: 1000 }));
    assert.ok(log.includes('Agent component initialized'), 'the log has no line of the start');
  });

  it('models: a run is driven round by round, each with its usage', async () => {
    const session = await run([{ name: 'describe_all', arguments: {} }]);
    assert.equal(session.status, 'completed', JSON.stringify(session.lastError));
    assert.deepEqual(outcomes(session), ['ok']);
    assert.deepEqual(
      session.rounds.map(({ prompt_tokens, completion_tokens }) => [prompt_tokens, completion_tokens]),
      [
        [100, 20],
        [100, 20],
      ],
    );
    assert.match(resultsOf(session)[0].text, /agent_test_note/);
  });

  it('access: only a super_user may use it, and never the user the agent acts as', async () => {
    for (const [name, fields] of OPERATIONS) {
      assert.deepEqual([name, (await send(name, fields, { as: plain })).status], [name, 403]);
      assert.deepEqual([name, (await send(name, fields, { as: null })).status], [name, 401]);
      const { status, body } = await send(name, fields, { as: agentUser });
      assert.deepEqual([name, status], [name, 403]);
      assert.match(JSON.stringify(body), /self_approval/);
    }
  });

  it('stream: watch_agent_session is sent as server-sent events', async () => {
    const { session_id } = await run([{ name: 'describe_all', arguments: {} }]);
    const leave = new AbortController();
    const response = await fetch(operationsUrl, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'accept-encoding': 'identity',
        authorization: basic(admin),
      },
      body: JSON.stringify({ operation: 'watch_agent_session', session_id }),
      signal: AbortSignal.any([leave.signal, AbortSignal.timeout(30_000)]),
    });
    assert.equal(response.status, 200);
    assert.match(response.headers.get('content-type') ?? '', /text\/event-stream/);
    let text = '';
    for await (const chunk of response.body) {
      text += Buffer.from(chunk).toString('utf8');
      if (/^event: end$/m.test(text)) break;
    }
    leave.abort();
    assert.match(text, /^event: prompt\nid: 1\n/m);
  });

  it('roles: what the role of the agent user forbids is refused at the call; a change holds from the next one on', async () => {
    const note = (allowed) => ({
      read: true,
      insert: allowed,
      update: false,
      delete: false,
      attribute_permissions: [],
    });
    const permission = (allowed) => ({
      super_user: false,
      data: { tables: { agent_test_note: note(allowed) } },
    });
    const users = await call('list_users');
    const { role } = users.find(({ username }) => username === agentUser.username);
    await add('add_role', { role: 'agent_test_limited', permission: permission(false) });
    const roles = await call('list_roles');
    const { id } = roles.find((found) => found.role === 'agent_test_limited');
    await call('alter_user', { username: agentUser.username, role: 'agent_test_limited' });
    try {
      await call('alter_role', { id, role: 'agent_test_limited', permission: permission(false) });
      assert.notDeepEqual(outcomes(await run([insert('no')])), ['ok']);
      await call('alter_role', { id, role: 'agent_test_limited', permission: permission(true) });
      assert.deepEqual(outcomes(await run([insert('yes')])), ['ok']);
    } finally {
      await call('alter_user', { username: agentUser.username, role: role.role });
    }
  });

  it('mcp: none of the private tools is listed, to nobody, on no profile', async () => {
    const { session_id } = await call('agent_prompt', { message: 'which tools?' });
    const offered = (await settled(session_id)).messages.at(-1).content.split(' ');
    assert.ok(offered.includes('read_file') && offered.includes('http_fetch'), offered.join(' '));
    for (const url of [operationsUrl, appUrl]) {
      for (const user of [admin, agentUser]) {
        const listed = await listTools(url, user);
        const seen = listed.filter((name) => /^(?:inspector_|schedule_|http_fetch$|\w+_files?$)/.test(name));
        assert.deepEqual(
          seen.filter((name) => offered.includes(name)),
          [],
        );
      }
    }
  });

  it('applications: files become a component once the workers were replaced, and requests to it act as the agent', async () => {
    const source =
      "export class AgentTest extends Resource {\n  get() {\n    return { user: this.getContext()?.user?.username ?? 'nobody' };\n  }\n}\n";
    const session = await approveAll(
      await run(
        [
          {
            name: 'write_file',
            arguments: {
              path: 'agent-test/config.yaml',
              content: "rest: true\njsResource:\n  files: 'resources.js'\n",
            },
          },
          { name: 'write_file', arguments: { path: 'agent-test/resources.js', content: source } },
        ],
        [{ name: 'restart_service', arguments: { service: 'http_workers' } }],
      ),
    );
    assert.deepEqual(outcomes(session), ['ok', 'ok', 'ok']);
    // Workers are replaced one after the other.
    await until(
      async () =>
        (await fetch(new URL('/AgentTest', appUrl), { headers: { authorization: basic(admin) } })).status,
      (status) => status === 200,
    );
    const fetched = await approveAll(
      await run([{ name: 'http_fetch', arguments: { url: '/AgentTest', as: 'agent' } }]),
    );
    assert.deepEqual(outcomes(fetched), ['ok']);
    assert.match(resultsOf(fetched)[0].text, /hdb_agent/);
    const reverted = await call('revert_agent_changes', { session_id: session.session_id });
    assert.ok(reverted.reverted.length >= 2, JSON.stringify(reverted));
  });

  it('workers: the inspector finds them by the number Harper gives them', async () => {
    const session = await run([{ name: 'inspector_status', arguments: {} }]);
    assert.deepEqual(outcomes(session), ['ok']);
    assert.match(resultsOf(session)[0].text, /worker(?:Index)?\W+0/i);
  });

  it('restart: a session that waits for an approval survives the process, and goes on when it is approved', async () => {
    await call('set_agent_config', { approvals: { insert: 'ask' } });
    const waiting = await run([insert('after the restart')]);
    assert.equal(waiting.status, 'awaiting_approval');
    await send('restart');
    // A setting changed by an operation does not outlive the process.
    await until(
      () => call('set_agent_config', {}),
      ({ approvals }) => approvals?.insert === undefined,
      120_000,
    );
    const back = await until(
      () => sessionOf(waiting.session_id),
      ({ status }) => status === 'awaiting_approval',
    );
    assert.deepEqual(
      back.pendingApprovals.map(({ id }) => id),
      waiting.pendingApprovals.map(({ id }) => id),
    );
    const ended = await approveAll(back);
    assert.equal(ended.status, 'completed');
    assert.deepEqual(outcomes(ended), ['ok']);
  });
});
