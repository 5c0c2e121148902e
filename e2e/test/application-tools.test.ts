import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { pollUntil } from '../src/support/poll-until.js';
import { answerOf, callsOf } from '../src/support/session-answer.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

let host: EmbeddedHost;
let api: AgentApi;

const GREETER = `
export class Greeter extends Resource {
  get() { return { from: 'Greeter', user: this.getContext().user?.username ?? 'nobody' }; }
  allowRead(user) { return user.role.permission.super_user === true; }
  static mcpTools = {
    greet: {
      description: 'Greets somebody',
      inputSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
      handler: ({ name }, { user }) => ({ content: [{ type: 'text', text: 'Hello ' + name + ', says ' + user.username }] }),
    },
    read_file: { description: 'Not the one of the agent', handler: () => ({ content: [{ type: 'text', text: 'from the application' }] }) },
    odd: { inputSchema: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'object' }] }, handler: (args) => args },
    fails: { handler: () => { throw new Error('the greeter is out'); } },
  };
}
`;

beforeAll(async () => {
  host = await startAgentHost({
    model: new URL('models/application.mjs', import.meta.url),
    agent: { autoApprove: true, allowDestructive: true, maxTools: 128 },
    config: { mcp: { application: {} } },
    workers: 2,
  });
  api = new AgentApi(host);
}, 60_000);
afterAll(() => host.stop(), 40_000);

async function deploy(component: string, source: string): Promise<void> {
  await mkdir(join(host.componentsRoot, component), { recursive: true });
  await writeFile(join(host.componentsRoot, component, 'resources.js'), source);
  await api.call('restart_service', { service: 'http_workers' });
}

async function prompt(text: string) {
  const { session_id } = await api.prompt(text);
  return api.untilEnded(session_id);
}

const toolNames = async () => answerOf(await prompt('which tools')).split(' ');
/** The names on offer once they are as wanted; the agent asks for the list again every two seconds. */
const untilNames = (wanted: (names: readonly string[]) => boolean) => pollUntil(toolNames, wanted);

async function callTogether(...calls: readonly object[]) {
  return callsOf(await prompt(`call together ${JSON.stringify(calls)}`));
}

describe('tools of applications', () => {
  it('are listed and called as the agent user, through the MCP endpoint of the workers', async () => {
    await deploy('greeter', GREETER);
    const names = await untilNames((found) => found.includes('greet'));
    expect(names).toContain('get_Greeter');
    const [greeting, record, failure, odd] = await callTogether(
      { name: 'greet', arguments: { name: 'Ann' } },
      { name: 'get_Greeter', arguments: { id: '1' } },
      { name: 'fails', arguments: {} },
      { name: 'odd', arguments: { a: 'x', b: 1 } },
    );
    expect(greeting).toMatchObject({ outcome: 'ok', text: 'Hello Ann, says hdb_agent' });
    expect(record).toMatchObject({ outcome: 'ok', text: expect.stringContaining('"user":"hdb_agent"') });
    expect(failure).toMatchObject({ outcome: 'error', text: expect.stringContaining('the greeter is out') });
    expect(odd).toMatchObject({ outcome: 'ok' });
  });

  it('never take the place of a tool of the agent', async () => {
    const names = await toolNames();
    const other = names.find((name) => /^read_file_[0-9a-f]{8}$/.test(name));
    const [own, foreign] = await callTogether(
      { name: 'read_file', arguments: { path: 'greeter/resources.js' } },
      { name: other, arguments: {} },
    );
    expect(own?.text).toContain('class Greeter');
    expect(foreign).toMatchObject({ outcome: 'ok', text: 'from the application' });
  });

  it('do not say who acts', async () => {
    const [call] = await callTogether({ name: 'odd', arguments: { hdb_user: { username: 'admin' } } });
    expect(call).toMatchObject({ outcome: 'denied', text: expect.stringContaining('hdb_user') });
  });

  it('follow the role of the agent user, in lists and in calls', async () => {
    await api.call('add_role', { role: 'plain', permission: { super_user: false } });
    await api.call('alter_user', { username: 'hdb_agent', role: 'plain' });
    await untilNames((names) => !names.includes('get_Greeter') && names.includes('greet'));
    const [refused] = await callTogether({ name: 'get_Greeter', arguments: { id: '1' } });
    expect(refused?.outcome).not.toBe('ok');
    await api.call('alter_user', { username: 'hdb_agent', role: 'super_user' });
    await untilNames((names) => names.includes('get_Greeter'));
  });

  it('change with a deployment, without a restart of the server', async () => {
    await deploy('greeter', GREETER.replaceAll('greet:', 'salute:').replace("'Hello '", "'Salute '"));
    const names = await untilNames((found) => found.includes('salute'));
    expect(names).not.toContain('greet');
    const [salute, gone] = await callTogether(
      { name: 'salute', arguments: { name: 'Ann' } },
      { name: 'greet', arguments: { name: 'Ann' } },
    );
    expect(salute?.text).toBe('Salute Ann, says hdb_agent');
    expect(gone?.outcome).toBe('invalid');
  });

  it('survive that workers are replaced while one is called', async () => {
    const running = callTogether({ name: 'salute', arguments: { name: 'Ann' } });
    await api.call('restart_service', { service: 'http_workers' });
    const [call] = await running;
    expect(['ok', 'error', 'unknown']).toContain(call?.outcome);
    await untilNames((names) => names.includes('salute'));
    const [again] = await callTogether({ name: 'salute', arguments: { name: 'Bob' } });
    expect(again?.text).toBe('Salute Bob, says hdb_agent');
  });

  it('are all within reach when they are more than a request carries, by way of search_tools', async () => {
    const tools = Array.from(
      { length: 250 },
      (_, index) =>
        `answer_${index}: { description: 'Answers number ${index}', handler: () => ({ content: [{ type: 'text', text: 'number ${index}' }] }) }`,
    );
    await deploy(
      'many',
      `export class Many extends Resource { static mcpTools = { ${tools.join(',')} }; get() { return {}; } }`,
    );
    const names = await untilNames((found) => found.includes('search_tools'));
    expect(names.length).toBeLessThanOrEqual(128);
    expect(names).not.toContain('answer_249');
    const session = await prompt(
      `call in turn ${JSON.stringify([
        { name: 'search_tools', arguments: { query: 'answer_249', limit: 3 } },
        { name: 'answer_249', arguments: {} },
      ])}`,
    );
    const [search, found] = callsOf(session);
    expect(search?.text).toContain('answer_249');
    expect(found).toMatchObject({ outcome: 'ok', text: 'number 249' });
    expect(answerOf(session).split(' ')).toContain('answer_249');
  });
});
