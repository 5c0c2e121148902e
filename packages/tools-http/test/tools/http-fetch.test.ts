import { once } from 'node:events';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataOf, openHttp } from '../support/open-http.js';
import { bodyOf, closeOf, serve, serveSecret } from '../support/serve.js';

describe('http_fetch', () => {
  it('answers with status line, headers and body', async () => {
    const app = await serve((_request, response) => {
      response
        .writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=1' })
        .end('{"message":"hi"}');
    });
    const { fetch } = await openHttp(app.port);
    const answer = await fetch({ url: '/Hello' });
    expect(answer.text).toMatch(
      new RegExp(`^HTTP 200 OK from GET ${app.url}/Hello \\(headers after \\d+ ms, all after \\d+ ms\\)\n`),
    );
    expect(answer.text).toMatch(
      /\ncontent-type: application\/json\nset-cookie: a=1\n[^]*\n\n{\n {2}"message": "hi"\n}$/,
    );
    expect(dataOf(answer)).toMatchObject({
      status: 200,
      body: '{\n  "message": "hi"\n}',
      kind: 'json',
      bytes: 16,
      headers: { 'set-cookie': 'a=1' },
    });
    expect(answer.truncated).toBeUndefined();
  });

  it('sends method, headers and body as given, with a fitting content type', async () => {
    const app = await serve(async (request, response) => {
      const { method, headers } = request;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({
          method,
          type: headers['content-type'],
          x: headers['x-a'],
          agent: headers['user-agent'],
          body: await bodyOf(request),
        }),
      );
    });
    const { fetch } = await openHttp(app.port);
    const url = `${app.url}/x`;
    const sent = async (input: object): Promise<unknown> =>
      JSON.parse(dataOf(await fetch({ url, ...input })).body ?? '');
    expect(await sent({ method: 'POST', body: '{"é":1}', headers: { 'X-A': 'b' } })).toEqual({
      method: 'POST',
      type: 'application/json',
      x: 'b',
      agent: 'harper-agent',
      body: '{"é":1}',
    });
    expect(await sent({ method: 'PUT', body: 'é' })).toMatchObject({
      type: 'text/plain; charset=utf-8',
      body: 'é',
    });
    expect(
      await sent({ method: 'PATCH', body: '1', headers: { 'Content-Type': 'text/csv', 'User-Agent': 'me' } }),
    ).toMatchObject({ type: 'text/csv', agent: 'me' });
    expect(await sent({ method: 'DELETE' })).toMatchObject({ method: 'DELETE', body: '' });
  });

  it.each([
    [204, 'No Content'],
    [304, 'Not Modified'],
    [404, 'Not Found'],
    [500, 'Internal Server Error'],
  ])('takes status %i for an answer', async (status, words) => {
    const app = await serve((_request, response) => {
      response.writeHead(status).end(status === 500 ? 'Error: no table' : '');
    });
    const { fetch } = await openHttp(app.port);
    const answer = await fetch({ url: app.url });
    expect(answer.text).toMatch(new RegExp(`^HTTP ${status} ${words} from GET`));
    expect(answer.text.split('\n').at(-1)).toBe(status === 500 ? 'Error: no table' : '[no body]');
  });

  it('answers HEAD and OPTIONS without a body', async () => {
    const app = await serve((_request, response) => {
      response
        .writeHead(200, { allow: 'GET, POST', 'content-type': 'text/plain', 'content-length': '5' })
        .end('hello');
    });
    const { fetch } = await openHttp(app.port);
    expect((await fetch({ url: app.url, method: 'HEAD' })).text).toMatch(
      /allow: GET, POST\n[^]*\n\n\[no body\]$/,
    );
    expect((await fetch({ url: app.url, method: 'OPTIONS' })).text).toContain('hello');
    expect(app.requests).toEqual(['HEAD /', 'OPTIONS /']);
  });

  it.each(['image/png', 'application/octet-stream'])(
    'names a body of %s and its length, and shows none of it',
    async (type) => {
      const app = await serve((_request, response) => {
        response
          .writeHead(200, { 'content-type': type, 'content-length': '2000000' })
          .end(Buffer.alloc(2_000_000, 7));
      });
      const { fetch } = await openHttp(app.port);
      const answer = await fetch({ url: app.url });
      expect(answer.text).toContain(`[binary: ${type}, 2000000 bytes; not shown]`);
      expect(answer.text.length).toBeLessThan(300);
      expect(answer.truncated).toBe(true);
    },
  );

  it('unpacks what the server packed', async () => {
    const app = await serve((request, response) => {
      const asked = request.headers['accept-encoding'] ?? '';
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'x-asked': asked });
      response.end(gzipSync('x'.repeat(1000)));
    });
    const { fetch } = await openHttp(app.port);
    const answer = dataOf(await fetch({ url: '/' }));
    expect(answer).toMatchObject({ body: 'x'.repeat(1000), bytes: 1000 });
    expect(answer.headers['x-asked']).toBe('gzip, deflate, br');
  });

  it('shows nothing of an encoding it does not know, and says when a body is not encoded as it says', async () => {
    const app = await serve((request, response) => {
      const encoding = request.url === '/zstd' ? 'zstd' : 'gzip';
      response
        .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': encoding })
        .end('not packed');
    });
    const { fetch } = await openHttp(app.port);
    expect((await fetch({ url: '/zstd' })).text).toContain(
      '[binary: text/plain, zstd-encoded, 10 bytes; not shown]',
    );
    await expect(fetch({ url: '/gzip' })).rejects.toThrow(/the body is not encoded as its header says/);
  });

  it('reads a body up to its limit, says so and closes the socket', async () => {
    let closed: Promise<void> | undefined;
    const app = await serve((request, response) => {
      closed = closeOf(request.socket);
      response.writeHead(200, { 'content-type': 'text/plain' });
      const fill = () => {
        while (!response.destroyed && response.write('é'.repeat(5000)));
      };
      response.on('drain', fill);
      fill();
    });
    const { fetch } = await openHttp(app.port, { limits: { bodyBytes: 1001 } });
    const answer = await fetch({ url: app.url });
    expect(answer.text).toContain(
      '[only the first 1001 bytes of the body follow, of more than 1001 bytes]\n\n',
    );
    expect(dataOf(answer)).toMatchObject({ body: 'é'.repeat(500), bytes: 1001 });
    expect(answer.truncated).toBe(true);
    await closed;
  });

  it('does not call a body of just the limit cut', async () => {
    const app = await serve((_request, response) => {
      response.setHeader('content-type', 'text/plain');
      response.end('x'.repeat(1000));
    });
    const { fetch } = await openHttp(app.port, { limits: { bodyBytes: 1000 } });
    expect((await fetch({ url: app.url })).truncated).toBeUndefined();
  });

  it('has one deadline over headers and body, also while bytes keep dripping', async () => {
    let closed: Promise<void> | undefined;
    const app = await serve((request, response) => {
      closed = closeOf(request.socket);
      response.writeHead(200, { 'content-type': 'text/plain' });
      const drip = setInterval(() => response.write('.'), 20);
      request.socket.on('close', () => clearInterval(drip));
    });
    const { fetch } = await openHttp(app.port);
    const started = performance.now();
    await expect(fetch({ url: app.url, timeout_seconds: 0.3 })).rejects.toThrow(
      /No complete answer within 300 ms: status 200 and \d+ bytes of the body came, not its end\./,
    );
    expect(performance.now() - started).toBeLessThan(3000);
    await closed;
  });

  it('has the same deadline where no headers come, and over all redirects', async () => {
    const silent = await serve(() => undefined);
    const slow = await serve((request, response) => {
      const timer = setTimeout(() => response.writeHead(302, { location: `${request.url}x` }).end(), 60);
      request.socket.on('close', () => clearTimeout(timer));
    });
    const { fetch } = await openHttp(slow.port, {
      egress: { allow: [`127.0.0.1:${silent.port}`, 'hangs.test'] },
      // A resolver that never answers.
      lookup: () => undefined,
    });
    await expect(fetch({ url: 'http://hangs.test/', timeout_seconds: 0.1 })).rejects.toThrow(
      'within 100 ms: no status',
    );
    await expect(fetch({ url: silent.url, timeout_seconds: 0.1 })).rejects.toThrow(
      'within 100 ms: no status came',
    );
    await expect(fetch({ url: `${slow.url}/x`, timeout_seconds: 0.15 })).rejects.toThrow(/within 150 ms/);
    expect(slow.requests.length).toBeLessThan(4);
  });

  it.each(['headers', 'body'])(
    'ends at once and closes the socket when the call is cancelled while it waits for the %s',
    async (what) => {
      let started: () => void = () => undefined;
      const waiting = new Promise<void>((resolve) => (started = resolve));
      let closed: Promise<void> | undefined;
      const app = await serve((request, response) => {
        closed = closeOf(request.socket);
        if (what === 'body') response.writeHead(200, { 'content-type': 'text/plain' }).write('.');
        started();
      });
      const { fetch } = await openHttp(app.port);
      const stop = new AbortController();
      const answer = fetch({ url: app.url }, stop.signal);
      await waiting;
      stop.abort(new Error('cancelled by the operator'));
      await expect(answer).rejects.toThrow('cancelled by the operator');
      await closed;
    },
  );

  it('contacts nobody for a call that was cancelled before', async () => {
    const app = await serveSecret();
    const { fetch } = await openHttp(app.port);
    await expect(fetch({ url: app.url }, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow(
      'cancelled',
    );
    expect(app.connections()).toBe(0);
  });

  it('ends what is in flight when the provider closes, and can close twice', async () => {
    let started: () => void = () => undefined;
    const waiting = new Promise<void>((resolve) => (started = resolve));
    const app = await serve(() => started());
    const { fetch, provider } = await openHttp(app.port);
    const answer = fetch({ url: app.url });
    const failed = answer.catch(String);
    await waiting;
    await provider.close();
    expect(await failed).toContain('No answer from');
    await provider.close();
  });

  it('says that nothing listens', async () => {
    const app = await serveSecret();
    app.server.close();
    await once(app.server, 'close');
    const { fetch } = await openHttp(app.port);
    await expect(fetch({ url: app.url })).rejects.toThrow(/ECONNREFUSED\): nothing listens there/);
  });

  it('says that the connection broke off in the middle of a body', async () => {
    const app = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': '100' });
      response.write('half', () => response.destroy());
    });
    const { fetch } = await openHttp(app.port);
    await expect(fetch({ url: app.url })).rejects.toThrow(
      /No answer from .*closed before the answer was complete/,
    );
  });

  it('says that the answer is not HTTP', async () => {
    const server = createTcpServer((socket) => void socket.resume().end('SSH-2.0-OpenSSH_9.9\r\n'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { fetch } = await openHttp(port);
    await expect(fetch({ url: `http://127.0.0.1:${port}/` })).rejects.toMatchObject({ code: 'http_failed' });
  });

  it('keeps no connection open', async () => {
    const app = await serve((_request, response) => void response.end('ok'));
    const { fetch } = await openHttp(app.port);
    await Promise.all(Array.from({ length: 20 }, () => fetch({ url: app.url })));
    const open = await new Promise<number>((resolve, reject) =>
      app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
    );
    expect(open).toBe(0);
    expect(app.connections()).toBe(20);
  });
});

describe('http_fetch refuses', () => {
  it.each([
    '127.0.0.1',
    'localhost',
    '127.1',
    '2130706433',
    '0x7f.1',
    '0.0.0.0',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '①②⑦.⓪.⓪.①',
  ])('another port of this machine at %s, before any connection', async (host) => {
    const [app, secret] = [await serveSecret(), await serveSecret()];
    const { fetch, effect } = await openHttp(app.port, { self: { deniedPorts: [9925] }, egress: true });
    await expect(fetch({ url: `http://${host}:${secret.port}/` })).rejects.toMatchObject({
      code: 'tool_denied',
    });
    await expect(fetch({ url: `http://${host}:9925/` })).rejects.toThrow(/operations API/);
    // What is refused anyway asks nobody.
    expect(effect({ url: `http://${host}:9925/`, method: 'POST' })).toBe('read');
    expect([app.connections(), secret.connections()]).toEqual([0, 0]);
  });

  it.each([
    'Host',
    'content-length',
    'Transfer-Encoding',
    'connection',
    'Keep-Alive',
    'Proxy-Authorization',
    'upgrade',
    'TE',
    'Trailer',
    'expect',
    'X-HTTP-Method-Override',
  ])('the header %s', async (name) => {
    const app = await serveSecret();
    const { fetch } = await openHttp(app.port);
    await expect(fetch({ url: app.url, headers: { [name]: '1' } })).rejects.toThrow(
      `The header '${name}' cannot be set`,
    );
    expect(app.connections()).toBe(0);
  });

  it.each([
    [{ headers: { 'x-a': 'b\r\nhost: c' } }, /line break/],
    [{ headers: { 'x-a\r\nb': 'c' } }, /not a header name/],
    [{ headers: { 'x-a': 'b\0' } }, /line break or another character/],
    [{ headers: { 'x-a': '日' } }, /cannot carry/],
    [{ headers: { '': 'x' } }, /not a header name/],
    [{ headers: { 'X-A': '1', 'x-a': '2' } }, /given twice/],
    [{ headers: { 'x-a': 'x'.repeat(17_000) } }, /limit is 16384/],
    [{ body: 'x' }, /A GET request carries no body/],
    [{ method: 'HEAD', body: '' }, /A HEAD request carries no body/],
    [{ method: 'POST', body: 'é'.repeat(600) }, /has 1200 bytes, the limit is 1000/],
    [{ method: 'TRACE' }, /Invalid option/],
    [{ timeout_seconds: 61 }, /60/],
    [{ accept: 'a', headers: { Accept: 'b' } }, /'accept' is given twice/],
    [{ accept: 'a\r\nb: c' }, /line break/],
    [{ url: 'http://127.0.0.1:1/\r\nx' }, /space or a control character/],
    [{ url: 'Hello' }, /not a whole URL/],
    [{ url: '//127.0.0.1:1/' }, /names a host without a scheme/],
    [{ url: '/\\127.0.0.1:1/' }, /names a host without a scheme/],
    [{ url: 'http://' }, /not a whole URL/],
  ])('%j', async (input, why) => {
    const app = await serveSecret();
    const { fetch } = await openHttp(app.port, { limits: { requestBytes: 1000 } });
    await expect((async () => fetch({ url: app.url, ...input }))()).rejects.toThrow(why);
    expect(app.connections()).toBe(0);
  });
});
