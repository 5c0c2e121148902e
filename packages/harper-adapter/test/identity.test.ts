import { describe, expect, it } from 'vitest';
import { ensureAgentUser, isSuperUser, resolveAgentUser } from '../src/identity.js';
import { createFakeServer, httpError, user } from './support/fake-server.js';

describe('ensureAgentUser', () => {
  it('creates the default user as a super_user, with a password nobody else sees, once', async () => {
    const server = createFakeServer();
    expect(await ensureAgentUser(server, 'hdb_agent')).toMatchObject({
      username: 'hdb_agent',
      superUser: true,
    });
    const created = server.calls.map(({ body }) => body['operation']);
    expect(created).toEqual(['add_role', 'add_user']);
    const password = String(server.calls[1]?.body['password']);
    expect(password.length).toBeGreaterThanOrEqual(32);

    await ensureAgentUser(server, 'hdb_agent');
    expect(server.calls).toHaveLength(2);

    const other = createFakeServer();
    await ensureAgentUser(other, 'hdb_agent');
    expect(other.calls[1]?.body['password']).not.toBe(password);
  });

  it('leaves a role of that name as it is: it may limit the agent', async () => {
    const server = createFakeServer();
    server.roles.set('hdb_agent', { super_user: false });
    expect(await ensureAgentUser(server, 'hdb_agent')).toMatchObject({ superUser: false });
    expect(server.roles.get('hdb_agent')).toEqual({ super_user: false });
  });

  it('never creates a user with a configured name', async () => {
    const server = createFakeServer();
    await expect(ensureAgentUser(server, 'robot')).rejects.toThrow("'robot'");
    expect(server.calls).toEqual([]);
  });

  it('does not run as an inactive user, default or not', async () => {
    const server = createFakeServer(user('robot', { super_user: true }, false), user('hdb_agent', {}, false));
    await expect(ensureAgentUser(server, 'robot')).rejects.toThrow('inactive');
    await expect(ensureAgentUser(server, 'hdb_agent')).rejects.toThrow('inactive');
  });

  it.each([
    ['a name nobody has', 'robot', undefined, /no user 'robot'.*add_user.*agent\.user/],
    [
      'a user without a role',
      'robot',
      { username: 'robot', active: true },
      /'robot' has no role.*alter_user/,
    ],
    ['an inactive user', 'robot', user('robot', {}, false), /'robot' is inactive.*alter_user/],
    [
      'its own user without a role',
      'hdb_agent',
      { username: 'hdb_agent', active: true },
      /'hdb_agent' has no role/,
    ],
  ])('says what is wrong with %s and what to do', async (_what, name, known, reason) => {
    const server = createFakeServer();
    const getUser = server.getUser.bind(server);
    server.getUser = async (...given) => {
      if (known !== undefined && 'role' in known) server.users.set(name, known);
      return known === undefined || 'role' in known ? getUser(...given) : known;
    };
    await expect(ensureAgentUser(server, name)).rejects.toThrow(reason);
    expect(server.calls).toEqual([]);
  });

  it('makes one user where two servers start at once', async () => {
    const server = createFakeServer();
    const getUser = server.getUser.bind(server);
    let asked = 0;
    let goOn = (): void => undefined;
    const bothAsked = new Promise<void>((resolve) => (goOn = resolve));
    // Both find nobody before either of them adds anything.
    server.getUser = async (...given) => {
      const found = await getUser(...given);
      if (++asked === 2) goOn();
      await bothAsked;
      return found;
    };
    const both = await Promise.all([
      ensureAgentUser(server, 'hdb_agent'),
      ensureAgentUser(server, 'hdb_agent'),
    ]);
    expect(both.map(({ superUser }) => superUser)).toEqual([true, true]);
    expect(server.calls.map(({ body }) => body['operation'])).toEqual([
      'add_role',
      'add_role',
      'add_user',
      'add_user',
    ]);
    expect([...server.users.keys()]).toEqual(['hdb_agent']);
  });

  it('takes the role that comes with the server where none can be added in process', async () => {
    const server = createFakeServer();
    server.roles.set('super_user', { super_user: true });
    const operation = server.operation.bind(server);
    server.operation = async (body, ...rest) => {
      if (Reflect.get(body, 'operation') === 'add_role') throw httpError(400, "Invalid key 'bypass_auth'");
      return operation(body, ...rest);
    };
    expect(await ensureAgentUser(server, 'hdb_agent')).toMatchObject({ superUser: true });
    expect(server.calls.map(({ body }) => body['role'])).toEqual(['super_user']);
  });

  it('passes on what keeps the default user from being created', async () => {
    const server = createFakeServer();
    server.operation = async () => {
      throw new Error('the disk is full');
    };
    await expect(ensureAgentUser(server, 'hdb_agent')).rejects.toThrow('the disk is full');
  });
});

describe('resolveAgentUser', () => {
  it('sees a role that changed since the last call', async () => {
    const server = createFakeServer(user('robot'));
    expect((await resolveAgentUser(server, 'robot')).superUser).toBe(true);
    server.users.set('robot', user('robot', { super_user: false }));
    expect((await resolveAgentUser(server, 'robot')).superUser).toBe(false);
  });
});

describe('isSuperUser', () => {
  it.each([undefined, null, 'admin', {}, { role: {} }, { role: { permission: {} } }])(
    'is false for %j',
    (value) => {
      expect(isSuperUser(value)).toBe(false);
    },
  );

  it('takes nothing but true for an answer', () => {
    expect(isSuperUser({ role: { permission: { super_user: 'true' } } })).toBe(false);
    expect(isSuperUser({ role: { permission: { super_user: 1 } } })).toBe(false);
    expect(isSuperUser({ role: { permission: { super_user: true } } })).toBe(true);
  });

  it('reads users whose fields are inherited getters', () => {
    class Tracked {
      get role() {
        return { permission: { super_user: true } };
      }
    }
    expect(isSuperUser(new Tracked())).toBe(true);
  });
});
