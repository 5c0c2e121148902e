import { describe, expect, it } from 'vitest';
import { dataOf, openHttp } from '../support/open-http.js';
import { bodyOf, serve, serveSecret } from '../support/serve.js';

/** Redirects `/status/<code>?<location>`, echoes everything else. */
function serveRedirects() {
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
      JSON.stringify({ method, body, type: headers['content-type'], auth: headers.authorization }),
    );
  });
}

describe('http_fetch and redirects', () => {
  it('follows them on this server and names the way', async () => {
    const app = await serveRedirects();
    const { fetch } = await openHttp([app.port]);
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
    const { fetch } = await openHttp([app.port]);
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
    const { fetch } = await openHttp([app.port]);
    for (const status of [301, 302, 303, 307, 308])
      await fetch({ url: `${app.url}/status/${status}?/end`, method: 'HEAD' });
    expect(app.requests.filter((request) => request === 'HEAD /end').length).toBe(5);
  });

  it.each([
    ['another port', (secret: number) => `http://127.0.0.1:${secret}/private`],
    ['another spelling of it', (secret: number) => `http://2130706433:${secret}/private`],
    ['a URL without scheme', () => '//127.0.0.1/'],
    ['another host', () => 'http://169.254.169.254/latest/'],
    ['a name', () => 'http://example.com/'],
    ['a file', () => 'file:///etc/passwd'],
    ['https', (secret: number) => `https://127.0.0.1:${secret}/`],
  ])('does not follow one to %s', async (_what, location) => {
    const [app, secret] = [await serveRedirects(), await serveSecret()];
    const { fetch } = await openHttp([app.port]);
    for (const status of [302, 307]) {
      const asked = fetch({
        url: `${app.url}/status/${status}?${location(secret.port)}`,
        method: 'POST',
        body: 'data',
      });
      await expect(asked).rejects.toThrow(/redirects to a place that is not fetched/);
    }
    expect(secret.connections()).toBe(0);
  });

  it('does not follow one with a user name', async () => {
    const app = await serveRedirects();
    const { fetch } = await openHttp([app.port]);
    await expect(fetch({ url: `${app.url}/status/302?http://u:p@127.0.0.1:${app.port}/` })).rejects.toThrow(
      /user name/,
    );
    expect(app.requests.length).toBe(1);
  });

  it('stops after its limit', async () => {
    const app = await serve((request, response) => {
      response.writeHead(302, { location: `${request.url}x` }).end();
    });
    const { fetch } = await openHttp([app.port]);
    await expect(fetch({ url: `${app.url}/x` })).rejects.toThrow(/More than 5 redirects/);
    expect(app.requests.length).toBe(6);
  });

  it('takes an answer without Location as it is, and refuses one that is no URL', async () => {
    const app = await serveRedirects();
    const { fetch } = await openHttp([app.port]);
    expect(dataOf(await fetch({ url: `${app.url}/status/302?none` }))).toMatchObject({
      status: 302,
      body: 'moved',
    });
    expect(dataOf(await fetch({ url: `${app.url}/status/300?/end` }))).toMatchObject({ status: 300 });
    await expect(fetch({ url: `${app.url}/status/302?http://[` })).rejects.toThrow(/which is not a URL/);
  });

  it('gives another port of this server no credentials, and the same port under another name keeps them', async () => {
    const [one, other] = [await serveRedirects(), await serveRedirects()];
    const { fetch } = await openHttp([one.port, other.port]);
    const auth = async (location: string): Promise<unknown> => {
      const answer = await fetch({
        url: `${one.url}/status/302?${location}`,
        headers: { authorization: 'secret', cookie: 'a' },
      });
      return JSON.parse(dataOf(answer).body ?? '');
    };
    expect(await auth(`${other.url}/end`)).not.toHaveProperty('auth');
    expect(await auth(`http://localhost:${one.port}/end`)).toHaveProperty('auth', 'secret');
  });
});
