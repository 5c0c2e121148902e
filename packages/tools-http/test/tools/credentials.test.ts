import { inspect } from 'node:util';
import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import type { SelfOptions } from '../../src/index.js';
import { dataOf, openHttp } from '../support/open-http.js';
import { serve } from '../support/serve.js';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJ1c2VybmFtZSI6ImFnZW50In0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';

/** Echoes the credentials it sees, in its body and in a header; `/to?<url>` redirects there. */
function serveEcho(host?: string) {
  return serve((request, response) => {
    const { authorization = 'none', cookie = 'none' } = request.headers;
    const [, location] = /^\/to\?(.*)$/.exec(request.url ?? '') ?? [];
    response.writeHead(location === undefined ? 200 : 302, {
      'content-type': 'application/json',
      'x-seen': authorization,
      ...(location === undefined ? {} : { location }),
    });
    response.end(JSON.stringify({ authorization, cookie, half: authorization.slice(0, 9) }));
  }, host);
}

async function openSelf(self: SelfOptions = {}) {
  const [app, web] = [await serveEcho(), await serveEcho('127.0.0.2')];
  const minted: number[] = [];
  const token = async () => {
    minted.push(minted.length);
    return TOKEN;
  };
  const egress = { allow: [`127.0.0.2:${web.port}`] };
  const { fetch } = await openHttp(app.port, { self: { token, ...self }, egress });
  return { app, web, fetch, minted };
}

describe("http_fetch as: 'agent'", () => {
  it('sends the token, and shows it nowhere', async () => {
    const { app, fetch } = await openSelf();
    const answer = await fetch({ url: '/Hello', as: 'agent' });
    expect(app.requests).toEqual(['GET /Hello']);
    expect(JSON.parse(dataOf(answer).body)).toEqual({
      authorization: `Bearer ${REDACTION_MARK}`,
      cookie: 'none',
      half: 'Bearer ey',
    });
    expect(answer.text).toContain(`x-seen: Bearer ${REDACTION_MARK}`);
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
  });

  it('shows it neither in an error, nor as the name of a header', async () => {
    const token = 'token-of-lower-case-letters';
    const app = await serve((request, response) => {
      const seen = (request.headers.authorization ?? '').replace('Bearer ', '');
      if (request.url === '/named') response.setHeader(`x-${seen}`, 'x').end();
      else
        response
          .writeHead(302, { location: request.url === '/away' ? `http://${seen}.test/` : `/?${seen}` })
          .end();
    });
    const { fetch } = await openHttp(app.port, {
      self: { token: async () => token },
      egress: { allow: ['*.test'] },
      lookup: (_name, _options, callback) => callback(null, [{ address: '127.0.0.9', family: 4 }]),
    });
    const named = await fetch({ url: '/named', as: 'agent' });
    expect(dataOf(named).headers).toHaveProperty(`x-${REDACTION_MARK}`);
    expect(JSON.stringify(named)).not.toContain(token);
    for (const [url, code] of [
      ['/loop', 'too_many_redirects'],
      ['/away', 'tool_denied'],
    ] as const) {
      const error: unknown = await fetch({ url, as: 'agent' }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code, message: expect.stringContaining(REDACTION_MARK) });
      expect(inspect(error)).not.toContain(token);
    }
  });

  it('sends none without it', async () => {
    const { fetch, minted } = await openSelf();
    expect(dataOf(await fetch({ url: '/Hello' })).body).toContain('"authorization": "none"');
    expect(minted).toEqual([]);
  });

  it('keeps it to the own origin over redirects', async () => {
    const { app, web, fetch } = await openSelf();
    const own = await fetch({ url: '/to?/end', as: 'agent' });
    expect(dataOf(own).body).toContain(REDACTION_MARK);
    expect(app.requests).toEqual(['GET /to?/end', 'GET /end']);
    const crossed = await fetch({ url: `/to?http://127.0.0.2:${web.port}/`, as: 'agent' });
    expect(dataOf(crossed)).toMatchObject({ url: `http://127.0.0.2:${web.port}/` });
    expect(dataOf(crossed).body).toContain('"authorization": "none"');
  });

  it('is refused for any other host, listed or not, before a token is made', async () => {
    const { web, fetch, minted } = await openSelf();
    for (const url of [`http://127.0.0.2:${web.port}/`, 'https://example.com/']) {
      await expect(fetch({ url, as: 'agent' })).rejects.toThrow(/own application only/);
    }
    expect([web.connections(), minted.length]).toEqual([0, 0]);
  });

  it.each(['Authorization', 'Cookie'])('is refused beside a header %s', async (name) => {
    const { app, fetch } = await openSelf();
    await expect(fetch({ url: '/', as: 'agent', headers: { [name]: 'x' } })).rejects.toThrow(
      /leave one of them out/,
    );
    expect(app.connections()).toBe(0);
  });

  it('is refused where there is no token, and fails with the reason where none can be made', async () => {
    const { app } = await openSelf();
    const { fetch: without } = await openHttp(app.port);
    await expect(without({ url: '/', as: 'agent' })).rejects.toThrow(/There is no token of the agent here/);
    const { fetch, app: other } = await openSelf({
      token: async () => {
        throw new Error('The host gave no token');
      },
    });
    await expect(fetch({ url: '/', as: 'agent' })).rejects.toThrow('The host gave no token');
    expect([app.connections(), other.connections()]).toEqual([0, 0]);
  });
});

describe('http_fetch without credentials, where the host would take it for someone else', () => {
  it('is refused with the reason, whatever headers it brings, and as the agent it is not', async () => {
    const why = "This server takes it for a super_user's: use as: 'agent'.";
    const { app, web, fetch } = await openSelf({ refuseAnonymous: async () => why });
    for (const headers of [{}, { authorization: 'Basic YTpi' }, { cookie: 'a=b' }]) {
      await expect(fetch({ url: '/', headers })).rejects.toMatchObject({ code: 'tool_denied', message: why });
    }
    expect(app.connections()).toBe(0);
    expect((await fetch({ url: '/', as: 'agent' })).text).toContain('HTTP 200');
    expect((await fetch({ url: `http://127.0.0.2:${web.port}/` })).text).toContain('HTTP 200');
  });

  it('asks anew for each call', async () => {
    let why: string | undefined = 'not now';
    const { fetch } = await openSelf({ refuseAnonymous: async () => why });
    await expect(fetch({ url: '/' })).rejects.toThrow('not now');
    why = undefined;
    expect((await fetch({ url: '/' })).text).toContain('HTTP 200');
  });
});
