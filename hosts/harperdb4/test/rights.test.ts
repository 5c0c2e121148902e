import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentApi } from '../../../e2e/src/support/agent-api.js';
import { callsOf } from '../../../e2e/src/support/session-answer.js';
import { startAgentHost } from '../../../e2e/src/support/start-agent-host.js';
import { STUB_MODEL } from '../../../e2e/test/support/stub-model.js';
import { startHarperDb } from '../src/index.js';
import { describeOnHarperDb } from './support/accepted.js';

const BOOT_MS = 240_000;

describeOnHarperDb("the agent's rights on HarperDB", () => {
  let host: EmbeddedHost;
  let api: AgentApi;
  beforeAll(async () => {
    host = await startAgentHost({
      start: startHarperDb,
      model: STUB_MODEL,
      agent: { autoApprove: true, allowDestructive: true },
    });
    api = new AgentApi(host);
    for (const [database, table] of [
      ['data', 'note'],
      ['data', 'secret'],
      ['other', 'secret'],
    ]) {
      await api.call('create_table', { database, table, primary_key: 'id' });
      await api.call('insert', { database, table, records: [{ id: 1, text: `of ${database}.${table}` }] });
    }
  }, BOOT_MS);
  afterAll(() => host?.stop(), BOOT_MS);

  /** The model makes these calls, one a round; resolves with the outcome and the text of each. */
  async function calling(...made: readonly (readonly [name: string, given: object])[]) {
    const rounds = made.map(([name, given]) => [{ name, arguments: given }]);
    const { session_id } = await api.prompt(`call ${JSON.stringify(rounds)}`);
    return callsOf(await api.untilEnded(session_id)).map(({ name, outcome, text }) => ({
      name,
      outcome,
      text,
    }));
  }

  async function roleOf(username: string): Promise<unknown> {
    const users = await api.call('list_users');
    const found = Array.isArray(users) ? users.find((user) => Object(user).username === username) : undefined;
    return Object(Object(found).role).role;
  }
  async function roleNamed(role: string): Promise<{ id?: unknown; permission?: object }> {
    const roles = await api.call('list_roles');
    return Object(Array.isArray(roles) ? roles.find((found) => Object(found).role === role) : undefined);
  }

  it('are those of a role of its own, which can be narrowed', async () => {
    expect(await roleOf('hdb_agent')).toBe('hdb_agent');
    expect((await roleNamed('hdb_agent')).permission).toMatchObject({ super_user: true });
  });

  it('let it add and alter roles while it is a super_user', async () => {
    expect(await calling(['add_role', { role: 'made', permission: { super_user: false } }])).toMatchObject([
      { outcome: 'ok' },
    ]);
    const { id } = await roleNamed('made');
    const permission = { super_user: false, structure_user: true };
    expect(await calling(['alter_role', { id, permission }])).toMatchObject([{ outcome: 'ok' }]);
    expect((await roleNamed('made')).permission).toMatchObject(permission);
  });

  it('end where its role ends: no table of another database, none without one, none of the system', async () => {
    const rights = { read: true, insert: false, update: false, delete: false, attribute_permissions: [] };
    const permission = { super_user: false, data: { tables: { note: rights } } };
    // By the agent itself, in the process: the workers hear of it, too.
    const { id } = await roleNamed('hdb_agent');
    expect(await calling(['alter_role', { id, permission }])).toMatchObject([{ outcome: 'ok' }]);

    const find = { attribute: 'text', value: '*' };
    const record = { records: [{ id: 2, text: 'by the agent' }] };
    const tried = [
      ['ok', 'sql', { sql: 'SELECT text FROM data.note' }],
      ['ok', 'search_by_value', { table: 'note', ...find }],
      ['error', 'sql', { sql: 'SELECT text FROM note' }],
      ['error', 'sql', { sql: 'SELECT text FROM secret' }],
      ['denied', 'sql', { sql: 'SELECT text FROM data.secret' }],
      ['denied', 'sql', { sql: 'SELECT text FROM other.secret' }],
      ['denied', 'sql', { sql: 'SELECT s.text FROM data.note AS n JOIN other.secret AS s ON n.id = s.id' }],
      ['error', 'sql', { sql: 'SELECT text FROM data.note WHERE id IN (SELECT id FROM other.secret)' }],
      ['denied', 'sql', { sql: 'SELECT * FROM system.hdb_user' }],
      // Without a database it is no table at all.
      ['ok', 'sql', { sql: 'SELECT * FROM hdb_user' }],
      ['error', 'sql', { sql: "INSERT INTO secret (id, text) VALUES (2, 'by the agent')" }],
      ['denied', 'sql', { sql: "INSERT INTO data.secret (id, text) VALUES (2, 'by the agent')" }],
      [
        'error',
        'sql',
        { sql: "SELECT text FROM data.note; INSERT INTO secret (id, text) VALUES (2, 'by the agent')" },
      ],
      ['error', 'sql', { sql: "UPDATE secret SET text = 'by the agent'" }],
      ['error', 'sql', { sql: 'DELETE FROM secret' }],
      ['denied', 'search_by_value', { table: 'secret', ...find }],
      ['denied', 'search_by_value', { database: 'other', table: 'secret', ...find }],
      ['denied', 'search_by_value', { database: 'system', table: 'hdb_user', ...find }],
      ['denied', 'search_by_value', { table: 'system.hdb_user', ...find }],
      ['denied', 'insert', { table: 'secret', ...record }],
      ['denied', 'upsert', { table: 'note', ...record }],
      ['denied', 'delete', { table: 'secret', ids: [1] }],
      ['denied', 'csv_data_load', { table: 'secret', action: 'insert', data: 'id,text\n2,by the agent' }],
      // Not even on offer any more.
      ['invalid', 'add_role', { role: 'more', permission: { super_user: true } }],
      ['invalid', 'alter_role', { id, permission: { super_user: true } }],
      ['invalid', 'alter_user', { username: 'hdb_agent', role: 'super_user' }],
    ] as const;
    const seen = await calling(...tried.map(([, name, given]) => [name, given] as const));
    expect(seen.map(({ outcome, name }) => [outcome, name])).toEqual(
      tried.map(([outcome, name]) => [outcome, name]),
    );
    const answers = seen.filter(({ outcome }) => outcome === 'ok').map(({ text }) => text);
    const ofNote = expect.stringMatching(/^\[\{[^{]*"text":"of data.note"[^{]*\}\]$/);
    expect(answers).toEqual([ofNote, ofNote, '[]']);

    const rows = await Promise.all(
      ['data.note', 'data.secret', 'other.secret'].map((name) =>
        api.call('sql', { sql: `SELECT id, text FROM ${name}` }),
      ),
    );
    expect(rows).toEqual([
      [{ id: 1, text: 'of data.note' }],
      [{ id: 1, text: 'of data.secret' }],
      [{ id: 1, text: 'of other.secret' }],
    ]);
    expect((await roleNamed('hdb_agent')).permission).toMatchObject({ super_user: false });
    expect(await roleNamed('more')).toEqual({});
    expect(await roleOf('hdb_agent')).toBe('hdb_agent');
  });

  it('are looked at by the workers, too, as soon as the role was altered in the process', async () => {
    await api.call('alter_user', { username: 'hdb_agent', password: 'known-now-1' });
    const as = { username: 'hdb_agent', password: 'known-now-1' };
    const found = (table: string) => api.send('sql', { sql: `SELECT text FROM data.${table}` }, { as });
    expect(await found('note')).toMatchObject({ status: 200, body: [{ text: 'of data.note' }] });
    expect(await found('secret')).toMatchObject({ status: 403 });
  });
});
