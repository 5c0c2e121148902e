import { describe, expect, it } from 'vitest';
import { ensureAgentUser, isSuperUser, resolveAgentUser } from '../src/identity.js';
import { createFakeServer, user } from './support/fake-server.js';

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
