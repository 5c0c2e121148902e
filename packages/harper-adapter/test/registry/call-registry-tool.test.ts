import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import type { HarperRegistryTool } from '../../src/host.js';
import { callRegistryTool } from '../../src/registry/call-registry-tool.js';
import { createFakeRegistry } from '../support/fake-registry.js';
import { createFakeServer, httpError, user } from '../support/fake-server.js';

const context = { caller: { user: 'robot' }, sessionId: 's1', signal: new AbortController().signal };

function setUp(handler: HarperRegistryTool['handler'], change: Partial<HarperRegistryTool> = {}) {
  const server = createFakeServer(user('robot'));
  const registry = createFakeRegistry();
  registry.addTool({
    name: 'feed_dogs',
    description: 'Feeds the dogs.',
    inputSchema: { type: 'object' },
    profile: 'operations',
    visibleTo: () => true,
    handler,
    ...change,
  });
  const call = (input: Record<string, unknown> = {}, name = 'feed_dogs') =>
    callRegistryTool({ server, registry }, { name, profile: 'operations' }, input, context);
  return { server, registry, call };
}

const said = (text: string, more: object = {}) => ({ content: [{ type: 'text', text }], ...more });

describe('callRegistryTool', () => {
  it('calls the handler as the agent user of that moment, with a copy of the arguments', async () => {
    const seen: unknown[] = [];
    const { server, call } = setUp((args, given) => {
      seen.push(given.user);
      Object(args).dogs[0].fed = true;
      return said(JSON.stringify(Object.assign(Object(args), { hdb_user: given.user })));
    });
    const input = { bowl: 1, dogs: [{ id: 1 }] };
    expect((await call(input)).text).toContain('"bowl":1');
    expect(input).toEqual({ bowl: 1, dogs: [{ id: 1 }] });
    const demoted = user('robot', { super_user: false });
    server.users.set('robot', demoted);
    await call(input);
    expect(seen[1]).toBe(demoted);
    server.users.delete('robot');
    await expect(call(input)).rejects.toThrow("'robot'");
    expect(seen).toHaveLength(2);
  });

  it('refuses identity in arguments and a tool that the user is not shown, and calls nothing', async () => {
    let calls = 0;
    const counting = () => said(String(++calls));
    await expect(setUp(counting).call({ hdb_user: {} })).rejects.toBeInstanceOf(ToolDeniedError);
    await expect(setUp(counting).call({ deep: [{ bypass_auth: true }] })).rejects.toThrow('bypass_auth');
    await expect(setUp(counting, { visibleTo: () => false }).call()).rejects.toBeInstanceOf(ToolDeniedError);
    const broken = () => {
      throw new Error('no role');
    };
    await expect(setUp(counting, { visibleTo: broken }).call()).rejects.toBeInstanceOf(ToolDeniedError);
    await expect(setUp(counting).call({}, 'groom_dogs')).rejects.toThrow('groom_dogs is not there any more');
    expect(calls).toBe(0);
  });

  it.each<[string, HarperRegistryTool['handler'], RegExp]>([
    [
      'an answer that is an error',
      () => said('the bowl is missing', { isError: true }),
      /failed: the bowl is missing/,
    ],
    ['an empty answer that is an error', () => ({ content: [], isError: true }), /failed/],
    ['an error', () => Promise.reject(new Error('no food')), /feed_dogs failed: no food/],
    [
      'a text',
      () => {
        // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error -- it is what some handlers do
        throw 'no food';
      },
      /feed_dogs failed: no food/,
    ],
    ['nothing', () => Promise.reject(), /feed_dogs failed: it did not say why/],
    ['an object', () => Promise.reject({ http_resp_msg: { reason: 'no food' } }), /"reason":"no food"/],
  ])('tells in words of %s', async (_what, handler, words) => {
    await expect(setUp(handler).call()).rejects.toThrow(words);
  });

  it('tells a lack of rights as a refusal that names the user', async () => {
    const { call } = setUp(() => Promise.reject(httpError(403, 'not authorized')));
    await expect(call()).rejects.toBeInstanceOf(ToolDeniedError);
    await expect(call()).rejects.toThrow(/'robot'.*feed_dogs.*not authorized/);
  });

  it('shows texts, else structured content, and names what is neither', async () => {
    const structured = { results: [{ id: 1 }] };
    expect(await setUp(() => said('[1]', { structuredContent: structured })).call()).toEqual({
      text: '[1]',
      data: structured,
    });
    expect((await setUp(() => ({ structuredContent: structured })).call()).text).toBe(
      JSON.stringify(structured),
    );
    const image = { type: 'image', mimeType: 'image/png', data: 'A'.repeat(400) };
    const mixed = await setUp(() => ({ content: [{ type: 'text', text: 'a dog' }, image] })).call();
    expect(mixed).toEqual({ text: 'a dog\n[image/png of about 300 bytes, left out]', truncated: true });
    expect((await setUp(() => undefined).call()).text).toBe('null');
    expect((await setUp(() => 'fed').call()).text).toBe('"fed"');
  });
});
