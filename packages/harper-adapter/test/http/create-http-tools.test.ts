import { once } from 'node:events';
import { createServer } from 'node:http';
import { ScriptedModel } from '@harperfast/agent-testkit';
import { systemClock } from '@harperfast/agent-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { HarperHost } from '../../src/host.js';
import { createAgentTokens } from '../../src/http/agent-tokens.js';
import { createHttpTools } from '../../src/http/create-http-tools.js';
import { user } from '../support/fake-server.js';
import { openHost } from '../support/open-host.js';

async function serveApp() {
  const seen: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    response.end(`hello ${request.headers.authorization ?? 'nobody'}`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { port: address.port, seen };
}

async function open(facts: Partial<HarperHost> & { readonly superUser: boolean }) {
  const { superUser, ...rest } = facts;
  const opened = await openHost(new ScriptedModel([]), user('robot', { super_user: superUser }));
  onTestFinished(() => opened.close());
  opened.server.answer = () => ({ operation_token: 'a-token-of-the-robot' });
  const host: HarperHost = { ...opened, ...rest };
  const tokens = createAgentTokens(host.server, 'robot', systemClock);
  const provider = createHttpTools(host, { allow: [] }, 'robot', tokens);
  onTestFinished(() => provider.close());
  const [tool] = await provider.tools({ user: 'robot' });
  if (tool === undefined) throw new Error('no tool');
  const fetch = async (input: object) => {
    const context = {
      sessionId: 's',
      callId: 'c',
      caller: { user: 'robot' },
      signal: new AbortController().signal,
      logger: opened.logger,
    };
    return (await tool.execute(tool.input.parse(input), context)).text;
  };
  return { fetch, description: tool.description };
}

describe('createHttpTools', () => {
  it('sends no credential by itself, and a token of the agent user when it is asked to', async () => {
    const app = await serveApp();
    const { fetch } = await open({ superUser: true, appPort: app.port, localIsSuperUser: true });
    expect(await fetch({ url: '/Hello' })).toContain('hello nobody');
    expect(await fetch({ url: '/Hello', as: 'agent' })).toContain('hello Bearer [[redacted]]');
    expect(app.seen).toEqual([undefined, 'Bearer a-token-of-the-robot']);
  });

  it('lets a user who is no super_user not pass for one where the host takes local requests for its own', async () => {
    const app = await serveApp();
    const { fetch } = await open({ superUser: false, appPort: app.port, localIsSuperUser: true });
    await expect(fetch({ url: '/Hello' })).rejects.toThrow(/use as: 'agent'.*authorizeLocal/);
    expect(app.seen).toEqual([]);
    expect(await fetch({ url: '/Hello', as: 'agent' })).toContain('200 OK');
    const strict = await open({ superUser: false, appPort: app.port, localIsSuperUser: false });
    expect(await strict.fetch({ url: '/Hello' })).toContain('hello nobody');
  });

  it('calls this server by its name, its operations port never, and its peers not unasked', async () => {
    const app = await serveApp();
    const { fetch } = await open({
      superUser: true,
      appPort: app.port,
      operationsPorts: [9925],
      peers: () => ['node-2.example.com'],
    });
    expect(await fetch({ url: `http://node-1:${app.port}/Hello` })).toContain('hello nobody');
    for (const host of ['127.0.0.1', 'localhost', 'node-1', '8.8.8.8', 'example.com']) {
      await expect(fetch({ url: `http://${host}:9925/` })).rejects.toThrow(/operations API/);
    }
    await expect(fetch({ url: 'https://node-2.example.com/' })).rejects.toThrow(/same cluster/);
  });

  it('has no application where the operations answer on its port', async () => {
    const app = await serveApp();
    const { fetch, description } = await open({
      superUser: true,
      appPort: app.port,
      operationsPorts: [app.port],
    });
    expect(description).toContain('There is no application of this server');
    await expect(fetch({ url: `http://127.0.0.1:${app.port}/` })).rejects.toThrow(/operations API/);
    expect(app.seen).toEqual([]);
  });
});
