import { expect } from 'vitest';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';

const PASSWORD = 'long-enough-1';

export const userChecks: readonly HarperHostCheck[] = [
  {
    name: 'gives a user with the role as it is, and never a password',
    async run(bench) {
      const { username, password } = bench.host.admin;
      const admin = await getUser(bench, username);
      expect(admin).toMatchObject({
        value: {
          username,
          active: true,
          role: { id: expect.any(String), role: 'super_user', permission: { super_user: true } },
        },
      });
      const plain = await getUser(bench, bench.plain.username);
      expect(plain).toMatchObject({
        value: { role: { role: 'probe_plain', permission: { super_user: false } } },
      });
      const text = JSON.stringify([admin, plain]);
      expect(text).not.toMatch(/"(password|hash)"/);
      expect([text.includes(password), text.includes(bench.plain.password)]).toEqual([false, false]);
    },
  },
  {
    name: 'gives an unknown user as its name without a role',
    async run(bench) {
      expect(await getUser(bench, 'nobody-here')).toEqual({ value: { username: 'nobody-here' } });
    },
  },
  {
    name: 'refuses to give an inactive user, with a 401, and signs it in nowhere',
    async run(bench) {
      const user = { username: 'probe_inactive', password: PASSWORD };
      await bench.ask({ operation: 'add_user', ...user, role: 'super_user', active: false });
      expect(await getUser(bench, user.username)).toMatchObject({ error: { statusCode: 401 } });
      expect(await bench.send({ operation: 'list_users' }, { as: user })).toMatchObject({ status: 401 });
      await bench.ask({ operation: 'alter_user', username: user.username, active: true });
      expect(await getUser(bench, user.username)).toMatchObject({ value: { active: true } });
      expect(await bench.send({ operation: 'list_users' }, { as: user })).toMatchObject({ status: 200 });
    },
  },
  {
    name: 'adds a user in process, who can sign in at once',
    async run(bench) {
      const user = { username: 'probe_added', password: PASSWORD };
      expect(await addUser(bench, { ...user, role: 'super_user' })).toHaveProperty('value');
      expect(await getUser(bench, user.username)).toMatchObject({ value: { role: { role: 'super_user' } } });
      expect(await bench.send({ operation: 'list_users' }, { as: user })).toMatchObject({ status: 200 });
    },
  },
  {
    name: 'refuses a user who is there with 409, an unknown role with 404, and none without a password',
    async run(bench) {
      const user = { username: 'probe_twice', password: PASSWORD, role: 'super_user' };
      await addUser(bench, user);
      expect(await addUser(bench, user)).toMatchObject({ error: { statusCode: 409 } });
      const other = { ...user, username: 'probe_other' };
      expect(await addUser(bench, { ...other, role: 'no_such_role' })).toMatchObject({
        error: { statusCode: 404 },
      });
      expect(await addUser(bench, { username: other.username, role: 'super_user' })).toMatchObject({
        error: { statusCode: 400 },
      });
      expect(await getUser(bench, other.username)).toEqual({ value: { username: other.username } });
    },
  },
  {
    name: 'gives a user the rights of the role of that moment',
    async run(bench) {
      const user = { username: 'probe_moved', password: PASSWORD };
      await bench.ask({ operation: 'add_user', ...user, role: 'super_user', active: true });
      const list = () => bench.send({ operation: 'list_users' }, { as: user });
      expect(await list()).toMatchObject({ status: 200 });
      await bench.ask({ operation: 'alter_user', username: user.username, role: 'probe_plain' });
      expect(await getUser(bench, user.username)).toMatchObject({ value: { role: { role: 'probe_plain' } } });
      expect(await list()).toMatchObject({ status: 403 });
    },
  },
  {
    name: 'adds a role over the operations API, once, and gives its rights to tables',
    async run(bench) {
      const table = 'probe_readable';
      await bench.ask({ operation: 'create_table', database: 'data', table, primary_key: 'id' });
      await bench.ask({ operation: 'upsert', database: 'data', table, records: [{ id: 'a' }] });
      const rights = { read: true, insert: false, update: false, delete: false, attribute_permissions: [] };
      const permission = { super_user: false, data: { tables: { [table]: rights } } };
      await bench.ask({ operation: 'add_role', role: 'probe_reader', permission });
      expect(await bench.send({ operation: 'add_role', role: 'probe_reader', permission })).toMatchObject({
        status: 409,
      });
      const as = { username: 'probe_reader', password: PASSWORD };
      await bench.ask({ operation: 'add_user', ...as, role: 'probe_reader', active: true });
      const query = {
        operation: 'search_by_id',
        database: 'data',
        table,
        ids: ['a'],
        get_attributes: ['id'],
      };
      expect(await bench.send(query, { as })).toEqual({ status: 200, body: [{ id: 'a' }] });
      const insert = { operation: 'insert', database: 'data', table, records: [{ id: 'b' }] };
      expect(await bench.send(insert, { as })).toMatchObject({ status: 403 });
      const { username, password } = bench.plain;
      expect(await bench.send(query, { as: { username, password } })).toMatchObject({ status: 403 });
    },
  },
  {
    name: 'refuses a role with rights to a database that is not there with 400',
    async run(bench) {
      const rights = { read: true, insert: false, update: false, delete: false, attribute_permissions: [] };
      const permission = { super_user: false, no_such_database: { tables: { no_such_table: rights } } };
      const body = { operation: 'add_role', role: 'probe_lost', permission };
      expect(await bench.send(body)).toMatchObject({ status: 400 });
    },
  },
];

function getUser(bench: HarperHostBench, username: string): Promise<unknown> {
  return bench.main(
    ({ server, attempt }, name: string) => attempt(() => server.getUser(name, null, null)),
    username,
  );
}

/** As the agent's own user is provisioned: in process, by nobody, with no rights enforced. */
function addUser(bench: HarperHostBench, user: object): Promise<unknown> {
  return bench.main(
    ({ server, attempt }, given: object) =>
      attempt(() => server.operation({ operation: 'add_user', active: true, ...given }, {}, false)),
    user,
  );
}
