import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type PosterOptions, createPoster } from '../../src/index.js';
import { fakeDns } from '../support/fake-dns.js';
import { bodyOf, closeOf, serve, serveSecret } from '../support/serve.js';

function open(options: PosterOptions) {
  const poster = createPoster(options);
  onTestFinished(() => poster.close());
  const never = new AbortController().signal;
  return { poster, post: (json: string, signal = never) => poster.post(json, signal) };
}

describe('createPoster', () => {
  it('posts JSON to a private address that was named, by number or by name, and answers any status', async () => {
    const seen: unknown[] = [];
    const served = await serve(async (request, response) => {
      const { 'content-type': type, 'x-key': key, host } = request.headers;
      seen.push([request.url, type, key, host, await bodyOf(request)]);
      response.writeHead(503, { 'Retry-After': '7' }).end('busy');
    });
    const byNumber = open({ url: `${served.url}/hook?a=1`, headers: { 'X-Key': 'k' } });
    const answer = await byNumber.post('{"a":1}');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '7']);
    const lookup = fakeDns({ 'hooks.internal': [['127.0.0.1']] });
    await open({ url: `http://hooks.internal:${served.port}/`, lookup }).post('{}');
    expect(seen).toEqual([
      ['/hook?a=1', 'application/json', 'k', `127.0.0.1:${served.port}`, '{"a":1}'],
      ['/', 'application/json', undefined, `hooks.internal:${served.port}`, '{}'],
    ]);
  });

  it.each([301, 302, 303, 307, 308])('leaves a redirect with %i alone', async (status) => {
    const secret = await serveSecret();
    const served = await serve((_request, response) => {
      const location = status === 308 ? '/other' : secret.url;
      response.writeHead(status, { location }).end();
    });
    expect((await open({ url: served.url }).post('{}')).status).toBe(status);
    expect([served.requests, secret.connections()]).toEqual([['POST /'], 0]);
  });

  it('rejects when nothing comes in time, when it is told to stop, and when it is closed', async () => {
    const served = await serve(() => undefined);
    await expect(open({ url: served.url, timeoutMs: 100 }).post('{}')).rejects.toMatchObject({
      code: 'http_timeout',
    });
    const stop = new AbortController();
    const { poster, post } = open({ url: served.url });
    const stopped = post('{}', stop.signal);
    const [request] = await once(served.server, 'request');
    stop.abort();
    await expect(stopped).rejects.toThrow('abort');
    await closeOf(request.socket);
    const closed = post('{}');
    await once(served.server, 'request');
    await Promise.all([poster.close(), expect(closed).rejects.toThrow('UND_ERR_DESTROYED')]);
  });

  it('keeps no process alive while it waits for an answer', async () => {
    const connections = () => process.getActiveResourcesInfo().filter((kind) => kind.startsWith('TCP'));
    // Those of earlier tests in this process are still on their way out.
    await vi.waitFor(() => expect(connections()).toEqual([]), 5_000);
    const served = await serve(() => undefined);
    served.server.unref();
    served.server.on('connection', (socket) => socket.unref());
    const { poster, post } = open({ url: served.url });
    const waiting = post('{}');
    await once(served.server, 'request');
    expect(connections()).toEqual([]);
    await Promise.all([poster.close(), expect(waiting).rejects.toThrow('UND_ERR_DESTROYED')]);
  });

  it.each([
    ['ftp://example.com/hook-path', {}],
    ['not a url', {}],
    ['https://user:hook-secret@example.com/', {}],
    ['https://example.com/hook-path', { 'x-key': 'hook-secret\r\nx: y' }],
    ['https://example.com/hook-path', { host: 'hook-secret' }],
  ])('refuses %s with %j, and shows neither', (url, headers) => {
    expect(() => createPoster({ url, headers })).toThrow(/^(?!.*(hook-secret|hook-path|not a url)).+$/s);
  });
});
