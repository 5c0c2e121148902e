import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SessionLostError } from '../../../src/registry/application/mcp-session.js';
import { openMcpSession } from '../../../src/registry/application/open-mcp-session.js';
import { openMcpServer, sendJson } from '../../support/mcp-server.js';

const signal = (): AbortSignal => new AbortController().signal;

async function setUp() {
  const server = await openMcpServer();
  onTestFinished(() => server.close());
  let tokens = 0;
  let changes = 0;
  let changed = (): void => undefined;
  const firstChange = new Promise<void>((resolve) => (changed = resolve));
  const open = async () => {
    const session = await openMcpSession(async () => `token-${++tokens}`)(server.url, {
      signal: signal(),
      onChanged() {
        changes++;
        changed();
      },
    });
    onTestFinished(() => session.close());
    return session;
  };
  return { server, open, firstChange, changes: () => changes };
}

const sent = ({ seen }: Awaited<ReturnType<typeof openMcpServer>>, method: string) =>
  seen.filter(({ message }) => message.method === method);

describe('openMcpSession', () => {
  it('reads all pages of the list, with a token of its own in every request', async () => {
    const { server, open } = await setUp();
    server.answer = ({ params }) => {
      const page = Number(params?.['cursor'] ?? 0);
      const tools = Array.from({ length: 100 }, (_, index) => ({
        name: `tool_${page * 100 + index}`,
        description: 'x',
        inputSchema: { type: 'object' },
      }));
      return { tools, ...(page < 2 ? { nextCursor: String(page + 1) } : {}) };
    };
    const session = await open();
    const tools = await session.list(signal());
    expect(tools).toHaveLength(300);
    expect(tools[299]).toEqual({
      name: 'tool_299',
      description: 'x',
      inputSchema: { type: 'object' },
      annotations: undefined,
    });
    const tokens = server.seen.map(({ headers }) => headers.authorization);
    expect(new Set(tokens).size).toBe(tokens.length);
    for (const { headers } of sent(server, 'tools/list')) expect(headers['mcp-session-id']).toBe('session-1');
  });

  it('lists what can be called of a list with anything in it', async () => {
    const { server, open } = await setUp();
    server.answer = () => ({
      tools: [
        { name: 'odd', inputSchema: { anyOf: [{ type: 'string' }] }, annotations: 'none', description: 5 },
        { name: 'bare' },
        { name: '' },
        { title: 'no name' },
        'text',
        null,
        { name: 'x'.repeat(300) },
      ],
    });
    const tools = await (await open()).list(signal());
    expect(tools.map(({ name }) => name)).toEqual(['odd', 'bare']);
    expect(tools[0]).toMatchObject({
      description: '',
      inputSchema: { anyOf: [{ type: 'string' }] },
      annotations: 'none',
    });
  });

  it('does not read a list for ever', async () => {
    const { server, open } = await setUp();
    let page = 0;
    server.answer = () => ({ tools: [{ name: 'same' }], nextCursor: 'again' });
    const session = await open();
    expect(await session.list(signal())).toHaveLength(2);
    server.answer = () => ({ tools: [{ name: 'next' }], nextCursor: `page-${page++}` });
    expect(await session.list(signal())).toHaveLength(100);
    server.answer = () => ({
      tools: Array.from({ length: 600 }, () => ({ name: 'many' })),
      nextCursor: `page-${page++}`,
    });
    expect(await session.list(signal())).toHaveLength(1200);
  });

  it('keeps no list that is too long to keep, however short its pages are', async () => {
    const { server, open } = await setUp();
    const inputSchema = { type: 'object', description: 'x'.repeat(3_000_000) };
    let page = 0;
    server.answer = () => ({ tools: [{ name: `tool_${page}`, inputSchema }], nextCursor: `page-${++page}` });
    const session = await open();
    await expect(session.list(signal())).rejects.toThrow('longer than 8388608 characters');
    expect(page).toBe(3);
  });

  it('hands on what a call answered, errors included, and checks no schema of the server', async () => {
    const { server, open } = await setUp();
    const answer = { content: [{ type: 'text', text: 'no' }], isError: true, structuredContent: { a: [1] } };
    server.answer = ({ method }) =>
      method === 'tools/call'
        ? answer
        : {
            tools: [
              {
                name: 'a',
                inputSchema: { type: 'object' },
                outputSchema: { type: 'object', required: ['b'] },
              },
            ],
          };
    const session = await open();
    await session.list(signal());
    expect(await session.call('a', { x: 1 }, signal())).toEqual(answer);
    expect(sent(server, 'tools/call')[0]?.message.params).toMatchObject({ name: 'a', arguments: { x: 1 } });
  });

  it('hears that the tools changed', async () => {
    const { server, open, firstChange } = await setUp();
    await open();
    await server.push({ method: 'notifications/tools/list_changed' });
    await firstChange;
  });

  it.each(['tools/list', 'tools/call'])('knows from a 404 to %s that the session is lost', async (method) => {
    const { server, open } = await setUp();
    const session = await open();
    server.intercept = (_message, response) => {
      response.writeHead(404).end('Session not found');
      return true;
    };
    const asked = method === 'tools/list' ? session.list(signal()) : session.call('a', {}, signal());
    await expect(asked).rejects.toBeInstanceOf(SessionLostError);
  });

  it('tells that it may not', async () => {
    const { server, open } = await setUp();
    server.intercept = (_message, response) => {
      response.writeHead(401).end('Must login');
      return true;
    };
    await expect(open()).rejects.toThrow('Must login');
  });

  it('ends with the signal, and tells the server', async () => {
    const { server, open } = await setUp();
    const session = await open();
    const stop = new AbortController();
    const closed: Promise<unknown>[] = [];
    server.intercept = ({ method }, response) => {
      if (method !== 'tools/call') return false;
      closed.push(once(response, 'close'));
      stop.abort(new Error('stopped'));
      return true;
    };
    await expect(session.call('a', {}, stop.signal)).rejects.toThrow('stopped');
    await session.close();
    await Promise.all(closed);
  });

  it('does not wait for an answer whose connection ended, nor for one in a stream', async () => {
    const { server, open } = await setUp();
    const session = await open();
    server.intercept = (_message, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"jsonrpc"', () => response.destroy());
      return true;
    };
    await expect(session.call('a', {}, signal())).rejects.toThrow('terminated');
    server.intercept = (_message, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(': nothing\n\n');
      return true;
    };
    await expect(session.call('a', {}, signal())).rejects.toThrow('a stream, which was not asked for');
    expect(sent(server, 'tools/call').map(({ headers }) => headers.accept)).toEqual([
      'application/json',
      'application/json',
    ]);
  });

  it('reads at most 4 MiB of an answer', async () => {
    const { server, open } = await setUp();
    const session = await open();
    server.answer = () => ({ content: [{ type: 'text', text: 'x'.repeat(5_000_000) }] });
    await expect(session.call('a', {}, signal())).rejects.toThrow('longer than 4194304 bytes');
  });

  it('takes its token nowhere else', async () => {
    const { server, open } = await setUp();
    const elsewhere = await openMcpServer();
    onTestFinished(() => elsewhere.close());
    const session = await open();
    for (const location of [elsewhere.url.href, '/other']) {
      server.intercept = (_message, response) => {
        response.writeHead(307, { location }).end();
        return true;
      };
      await expect(session.call('a', {}, signal())).rejects.toThrow(/redirect|fetch failed/);
    }
    expect(elsewhere.seen).toEqual([]);
  });

  it('gives up what answers with no message', async () => {
    const { server, open } = await setUp();
    const session = await open();
    server.intercept = (_message, response) => {
      sendJson(response, { hello: 'world' });
      return true;
    };
    await expect(session.call('a', {}, signal())).rejects.toThrow(/Invalid/i);
  });
});
