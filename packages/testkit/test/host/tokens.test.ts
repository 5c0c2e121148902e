import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startHost, type EmbeddedHost } from '../../src/host/index.js';
import { Tokens } from '../../src/host/users/tokens.js';

const dana = { username: 'dana', password: 'pass-of-dana' };
let host: EmbeddedHost;

beforeAll(async () => {
  host = await startHost({ config: { threads: { count: 1 } } });
  await mkdir(`${host.componentsRoot}/who`);
  await writeFile(
    `${host.componentsRoot}/who/resources.js`,
    `export class Who extends Resource { get() { return this.getContext().user ?? 'nobody'; } }`,
  );
  await host.operation({ operation: 'restart_service', service: 'http_workers' });
  await host.operation({ operation: 'add_role', role: 'reader', permission: { super_user: false } });
  await host.operation({ operation: 'add_user', ...dana, role: 'reader', active: true });
}, 60_000);
afterAll(() => host.stop());

async function tokenOf(fields: object = {}): Promise<string> {
  const { body } = await host.operation(
    { operation: 'create_authentication_tokens', ...fields },
    { as: dana },
  );
  return String(Object(body).operation_token);
}
async function who(authorization?: string) {
  const response = await host.fetchApp(
    '/Who',
    authorization === undefined ? {} : { headers: { authorization } },
  );
  const text = await response.text();
  return [response.status, text.startsWith('{') ? JSON.parse(text).username : text];
}
const info = (authorization: string) =>
  host.operation({ operation: 'user_info' }, { as: 'nobody', headers: { authorization } });

describe('create_authentication_tokens', () => {
  it('makes a token that acts as its user, on both ports', async () => {
    const bearer = `Bearer ${await tokenOf()}`;
    expect(await info(bearer)).toMatchObject({ status: 200, body: { username: 'dana' } });
    expect(await who(bearer)).toEqual([200, 'dana']);
  });

  it('makes one for whoever is named, with the right password only', async () => {
    const asked = { username: host.admin.username, password: host.admin.password };
    expect(await info(`Bearer ${await tokenOf(asked)}`)).toMatchObject({
      body: { username: host.admin.username },
    });
    const wrong = { operation: 'create_authentication_tokens', ...asked, password: 'wrong' };
    expect(await host.operation(wrong, { as: dana })).toMatchObject({ status: 401 });
  });

  it('follows what becomes of the user', async () => {
    const bearer = `Bearer ${await tokenOf()}`;
    await host.operation({ operation: 'alter_user', username: 'dana', active: false });
    expect((await info(bearer)).status).toBe(401);
    expect((await who(bearer))[0]).toBe(401);
    await host.operation({ operation: 'alter_user', username: 'dana', active: true });
    expect((await info(bearer)).status).toBe(200);
  });

  it.each([
    ['a changed one', (token: string) => `${token.slice(0, -2)}AA`],
    [
      'one with other claims',
      (token: string) => token.replace(/\..*\./, `.${Buffer.from('{}').toString('base64url')}.`),
    ],
    ['none', () => 'x'],
  ])('answers 401 to %s', async (_what, change) => {
    const bearer = `Bearer ${change(await tokenOf())}`;
    expect([(await info(bearer)).status, (await who(bearer))[0]]).toEqual([401, 401]);
  });

  it('says that a lifetime is none', async () => {
    for (const expires_in of ['soon', '0s', -1]) {
      const answer = await host.operation({ operation: 'create_authentication_tokens', expires_in });
      expect(answer).toMatchObject({
        status: 400,
        body: { error: expect.stringContaining(String(expires_in)) },
      });
    }
  });
});

describe('Tokens', () => {
  afterEach(() => vi.useRealTimers());

  it('end when their time is over, and are no use for anything else or with another key', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const tokens = new Tokens('key');
    const { operation_token, refresh_token } = tokens.make('dana', '3m');
    expect(tokens.usernameOf(operation_token)).toBe('dana');
    expect(() => tokens.usernameOf(refresh_token)).toThrow('invalid token');
    expect(() => new Tokens('other').usernameOf(operation_token)).toThrow('invalid token');
    vi.setSystemTime(1_000_000 + 180_000);
    expect(() => tokens.usernameOf(operation_token)).toThrow('token expired');
  });
});

describe('the application port', () => {
  it('knows who signed in with a password, and takes all others for nobody', async () => {
    const basic = (password: string) => `Basic ${Buffer.from(`dana:${password}`).toString('base64')}`;
    expect(await who(basic(dana.password))).toEqual([200, 'dana']);
    expect((await who(basic('wrong')))[0]).toBe(401);
    expect(await who()).toEqual([200, 'nobody']);
  });
});
