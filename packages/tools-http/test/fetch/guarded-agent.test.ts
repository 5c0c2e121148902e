import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createEgressPolicy } from '../../src/egress/egress-policy.js';
import { createGuardedAgent } from '../../src/fetch/guarded-agent.js';
import { type DnsAnswers, fakeDns } from '../support/fake-dns.js';
import { serve, serveSecret } from '../support/serve.js';

/** An agent whose server answers at `appPort`, with `web` at 127.0.0.2 listed by its address. */
function openAgent(appPort: number, web: number, answers: DnsAnswers = {}) {
  const policy = createEgressPolicy(
    { app: { host: '127.0.0.1', port: appPort } },
    { allow: [`127.0.0.2:${web}`] },
  );
  const lookup = fakeDns(answers);
  const agent = createGuardedAgent(policy, lookup, { timeoutMs: 5000 });
  onTestFinished(() => agent.destroy());
  return { lookup, get: (url: string) => request(url, { dispatcher: agent }) };
}

const app = () => serve((_request, response) => void response.end('app'));
const web = () =>
  serve((request, response) => void response.end(`web for ${request.headers.host}`), '127.0.0.2');

describe('the guarded agent', () => {
  it('makes no connection for a URL that nobody judged before', async () => {
    const [own, secret] = [await app(), await serveSecret()];
    const { get, lookup } = openAgent(own.port, 1);
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '0x7f.1',
      '[::ffff:127.0.0.1]',
      '[::1]',
      '0.0.0.0',
      '127.1',
    ]) {
      await expect(get(`http://${host}:${secret.port}/`)).rejects.toThrow(
        /not an address that may be connected to/,
      );
    }
    expect([secret.connections(), own.connections(), lookup.asked]).toEqual([0, 0, []]);
    expect(await (await get(`${own.url}/`)).body.text()).toBe('app');
  });

  it.each([
    ['only an address that is not allowed', ['127.0.0.1']],
    ['one that is not allowed beside another', ['127.0.0.2', '127.0.0.1']],
    ['one that is not allowed before another', ['127.0.0.1', '127.0.0.2']],
    ['the address written as IPv6', ['::ffff:127.0.0.1']],
    ['the address in an old form of IPv6', ['::7f00:1']],
  ])('makes none for a name that leads to %s, be it the own application', async (_what, addresses) => {
    const [own, secret] = [await app(), await serveSecret()];
    const { get } = openAgent(own.port, 1, { 'evil.test': [addresses] });
    for (const { port } of [own, secret]) {
      for (const scheme of ['http', 'https']) {
        await expect(get(`${scheme}://evil.test:${port}/`)).rejects.toThrow(/'evil.test' leads to/);
      }
    }
    expect([secret.connections(), own.connections()]).toEqual([0, 0]);
  });

  it('looks a name up once for a connection, so that a second answer changes nothing', async () => {
    const [own, site] = [await app(), await web()];
    const secret = await serve((_request, response) => void response.end('SECRET'), '127.0.0.1', site.port);
    const { get, lookup } = openAgent(own.port, site.port, { 'rebind.test': [['127.0.0.2'], ['127.0.0.1']] });
    expect(await (await get(`http://rebind.test:${site.port}/`)).body.text()).toBe(
      `web for rebind.test:${site.port}`,
    );
    expect(lookup.asked).toEqual(['rebind.test']);
    await expect(get(`http://rebind.test:${site.port}/`)).rejects.toThrow(/leads to 127.0.0.1/);
    expect(secret.connections()).toBe(0);
  });

  it('connects nowhere for a name that leads nowhere', async () => {
    const { get } = openAgent((await app()).port, 1, { 'empty.test': [[]] });
    await expect(get('http://empty.test/')).rejects.toThrow(/leads to no address/);
    await expect(get('http://unknown.test/')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });
});
