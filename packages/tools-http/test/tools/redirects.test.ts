import { describe, expect, it } from 'vitest';
import type { Egress } from '../../src/index.js';
import { fakeDns } from '../support/fake-dns.js';
import { dataOf, openHttp } from '../support/open-http.js';
import { bodyOf, serve, serveSecret } from '../support/serve.js';

/** Redirects `/status/<code>?<location>`, echoes everything else. */
function serveRedirects(host?: string) {
  return serve(async (request, response) => {
    const [, status, location] = /^\/status\/(\d+)\?(.*)$/.exec(request.url ?? '') ?? [];
    const body = await bodyOf(request);
    if (status !== undefined) {
      response.writeHead(Number(status), location === 'none' ? {} : { location }).end('moved');
      return;
    }
    const { method, headers } = request;
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({
        method,
        body,
        type: headers['content-type'],
        auth: headers.authorization,
        cookie: headers.cookie,
        key: headers['x-api-key'],
        accept: headers.accept === '*/*' ? undefined : headers.accept,
      }),
    );
  }, host);
}

describe('http_fetch and redirects', () => {
  it('follows them on this server and names the way', async () => {
    const app = await serveRedirects();
    const { fetch } = await openHttp(app.port);
    const answer = await fetch({ url: `${app.url}/status/302?/status/301?end` });
    expect(dataOf(answer)).toMatchObject({
      status: 200,
      url: `${app.url}/status/end`,
      redirects: [`${app.url}/status/302?/status/301?end`, `${app.url}/status/301?end`],
    });
    expect(answer.text).toContain(`redirected from: ${app.url}/status/302`);
  });

  it.each([
    ['POST', 301, 'GET', ''],
    ['POST', 302, 'GET', ''],
    ['POST', 303, 'GET', ''],
    ['PUT', 303, 'GET', ''],
    ['POST', 307, 'POST', 'data'],
    ['POST', 308, 'POST', 'data'],
    ['PUT', 302, 'PUT', 'data'],
  ])('turns a %s answered %i into a %s', async (method, status, next, body) => {
    const app = await serveRedirects();
    const { fetch } = await openHttp(app.port);
    const answer = await fetch({
      url: `${app.url}/status/${status}?/end`,
      method,
      body: 'data',
      headers: { authorization: 'x' },
    });
    const type = body === '' ? {} : { type: 'text/plain; charset=utf-8' };
    expect(JSON.parse(dataOf(answer).body ?? '')).toEqual({ method: next, body, auth: 'x', ...type });
  });

  it('keeps GET and HEAD what they are', async () => {
    const app = await serveRedirects();
    const { fetch } = await openHttp(app.port);
    for (const status of [301, 302, 303, 307, 308])
      await fetch({ url: `${app.url}/status/${status}?/end`, method: 'HEAD' });
    expect(app.requests.filter((request) => request === 'HEAD /end').length).toBe(5);
  });

  it.each([
    ['another port', (secret: number) => `http://127.0.0.1:${secret}/private`],
    ['another spelling of it', (secret: number) => `http://2130706433:${secret}/private`],
    ['an IPv6 form of it', (secret: number) => `http://[::7f00:1]:${secret}/private`],
    ['a URL without scheme', () => '//127.0.0.1/'],
    ['another host', () => 'http://169.254.169.254/latest/'],
    ['a file', () => 'file:///etc/passwd'],
    ['a socket', () => 'http+unix://%2Ftmp%2Fops.sock/'],
    ['https', (secret: number) => `https://127.0.0.1:${secret}/`],
    ['a user name', (secret: number) => `http://u:p@127.0.0.1:${secret}/`],
    ['a name that leads here', (secret: number) => `http://rebind.test:${secret}/`],
  ])('does not follow one to %s, and says so with the answer', async (_what, location) => {
    const [app, secret] = [await serveRedirects(), await serveSecret()];
    const lookup = fakeDns({ 'rebind.test': [['127.0.0.1']] });
    for (const egress of [true, { allow: [] }] as const) {
      const { fetch } = await openHttp(app.port, { egress, lookup });
      for (const [status, method] of [
        [302, 'POST'],
        [307, 'POST'],
        [302, 'GET'],
      ] as const) {
        const body = method === 'POST' ? { body: 'data' } : {};
        const asked = fetch({ url: `/status/${status}?${location(secret.port)}`, method, ...body });
        // A name that is listed is looked up, and the call fails then; all else is an answer that says why.
        const told = await asked.then(
          (output) => (dataOf(output).body === 'moved' ? dataOf(output).notFollowed : 'followed'),
          String,
        );
        expect(told).toMatch(
          /not (a public|listed|fetched|its application)|leads|user name|operations|another origin|no scheme|only http|not contacted/,
        );
      }
    }
    expect(secret.connections()).toBe(0);
  });

  it('stops after its limit', async () => {
    const app = await serve((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    const { fetch } = await openHttp(app.port);
    await expect(fetch({ url: `${app.url}/x` })).rejects.toThrow(/More than 5 redirects/);
    expect(app.requests.length).toBe(6);
  });

  it('takes an answer without Location, or with one that is no URL, as it is', async () => {
    const app = await serveRedirects();
    const { fetch } = await openHttp(app.port);
    const answered = async (url: string) => dataOf(await fetch({ url }));
    expect(await answered('/status/302?none')).toMatchObject({ status: 302, body: 'moved' });
    expect(await answered('/status/300?/end')).toMatchObject({ status: 300 });
    expect(await answered('/status/302?http://[')).toMatchObject({
      status: 302,
      notFollowed: /is not a URL/,
    });
  });

  describe('from one origin to another', () => {
    async function openBoth(egress: (port: number) => Egress) {
      const [app, web] = [await serveRedirects(), await serveRedirects('127.0.0.2')];
      const lookup = fakeDns({ 'web.test': [['127.0.0.2']], 'other.test': [['127.0.0.2']] });
      const { fetch } = await openHttp(app.port, { egress: egress(web.port), lookup });
      return { app, web, fetch };
    }
    const both = (port: number) => ({ allow: [`127.0.0.2:${port}`, 'web.test'] });

    it('follows GET and HEAD to a listed host, without credentials', async () => {
      const { app, web, fetch } = await openBoth(both);
      const headers = { authorization: 'secret', cookie: 'a', 'x-api-key': 'k', accept: 'application/json' };
      for (const host of ['127.0.0.2', 'web.test']) {
        const url = `/status/302?http://${host}:${web.port}/end`;
        const seen: unknown = JSON.parse(dataOf(await fetch({ url, headers })).body);
        expect(seen).toEqual({ method: 'GET', body: '', accept: 'application/json' });
        expect(dataOf(await fetch({ url, headers, method: 'HEAD' })).url).toBe(
          `http://${host}:${web.port}/end`,
        );
      }
      const back = await fetch({ url: `http://web.test:${web.port}/status/302?/end`, headers });
      expect(JSON.parse(dataOf(back).body)).toMatchObject({ auth: 'secret' });
      expect(app.requests.length).toBe(4);
    });

    it.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('follows no %s, whatever the status', async (method) => {
      const { web, fetch } = await openBoth(both);
      for (const status of [301, 302, 303, 307, 308]) {
        const answer = dataOf(await fetch({ url: `/status/${status}?http://web.test:${web.port}/`, method }));
        expect(answer).toMatchObject({
          status,
          notFollowed: expect.stringContaining('Call http_fetch with that URL'),
        });
      }
      expect(web.connections()).toBe(0);
    });

    it('follows none to a host that is not listed, and none back to this server', async () => {
      const { app, web, fetch } = await openBoth(both);
      expect(dataOf(await fetch({ url: `/status/302?http://other.test:${web.port}/` }))).toMatchObject({
        notFollowed: expect.stringContaining('not listed'),
      });
      const url = `http://web.test:${web.port}/status/302?http://localhost:${app.port}/end`;
      expect(dataOf(await fetch({ url }))).toMatchObject({
        notFollowed: expect.stringContaining('from another host to this server'),
      });
      expect(app.requests).toHaveLength(1);
    });
  });
});
