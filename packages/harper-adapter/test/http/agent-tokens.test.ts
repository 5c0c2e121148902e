import { createFakeClock } from '@harperfast/agent-testkit';
import { describe, expect, it } from 'vitest';
import { createAgentTokens } from '../../src/http/agent-tokens.js';
import { createFakeServer, httpError, user } from '../support/fake-server.js';

function open() {
  const server = createFakeServer(user('robot', { super_user: false }));
  server.answer = () => ({ operation_token: `token-${server.calls.length}`, refresh_token: 'never used' });
  const clock = createFakeClock();
  return { server, clock, tokens: createAgentTokens(server, 'robot', clock) };
}

describe('createAgentTokens', () => {
  it('has the host make one as the agent user, with its permissions enforced', async () => {
    const { server, tokens } = open();
    expect(await tokens.current()).toBe('token-1');
    expect(server.calls).toEqual([
      {
        body: { operation: 'create_authentication_tokens', expires_in: '3m' },
        user: expect.objectContaining({ username: 'robot' }),
        authorize: true,
      },
    ]);
  });

  it('uses one for a minute, for all who ask, and then another', async () => {
    const { clock, tokens } = open();
    expect(await Promise.all([tokens.current(), tokens.current()])).toEqual(['token-1', 'token-1']);
    await clock.advance(59_000);
    expect(await tokens.current()).toBe('token-1');
    await clock.advance(1000);
    expect(await tokens.current()).toBe('token-2');
  });

  it('tells which were made, in the same array until there is another', async () => {
    const { clock, tokens } = open();
    expect(tokens.known()).toEqual([]);
    await tokens.current();
    const known = tokens.known();
    expect(known).toEqual(['token-1']);
    await tokens.current();
    expect(tokens.known()).toBe(known);
    for (let minute = 0; minute < 40; minute++) {
      await clock.advance(60_000);
      await tokens.current();
    }
    expect(tokens.known()).toHaveLength(16);
    expect(tokens.known()[0]).toBe('token-41');
  });

  it.each([
    [() => ({ message: 'done' }), /without an operation_token/],
    [
      () => {
        throw httpError(403, 'not for you');
      },
      /not for you/,
    ],
  ])('says why there is none, and asks again', async (answer, why) => {
    const { server, tokens } = open();
    const works = server.answer;
    server.answer = answer;
    await expect(tokens.current()).rejects.toThrow(why);
    server.answer = works;
    expect(await tokens.current()).toBe('token-2');
  });

  it('makes none for a user who is gone', async () => {
    const { server, tokens } = open();
    server.users.delete('robot');
    await expect(tokens.current()).rejects.toThrow("'robot'");
    expect(server.calls).toEqual([]);
  });
});
