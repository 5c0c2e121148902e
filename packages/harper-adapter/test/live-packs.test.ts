import { describe, expect, it } from 'vitest';
import { resolveAgentUser } from '../src/identity.js';
import { createLivePacks } from '../src/live-packs.js';
import { createFakeServer, user } from './support/fake-server.js';

describe('createLivePacks', () => {
  it('takes away what reaches past a role from a super_user who is none any more', async () => {
    const server = createFakeServer(user('robot'));
    const live = createLivePacks(server, await resolveAgentUser(server, 'robot'), (superUser) =>
      superUser ? new Set(['files', 'logs']) : new Set(['files']),
    );
    expect([...live.packs]).toEqual(['files', 'logs']);
    server.users.set('robot', user('robot', { super_user: false }));
    expect([...(await live.refresh())]).toEqual(['files']);
    expect([...live.packs]).toEqual(['files']);
    expect(live.user.superUser).toBe(false);
  });

  it('has nothing for a user who is gone', async () => {
    const server = createFakeServer(user('robot'));
    const live = createLivePacks(server, await resolveAgentUser(server, 'robot'), () => new Set(['files']));
    server.users.delete('robot');
    await expect(live.refresh()).rejects.toThrow("'robot'");
  });
});
