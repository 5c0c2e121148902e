import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AgentApi } from '../src/support/agent-api.js';
import { pollUntil } from '../src/support/poll-until.js';
import { answerOf, callsOf } from '../src/support/session-answer.js';
import { startAgentHost } from '../src/support/start-agent-host.js';

let host: EmbeddedHost;
let api: AgentApi;

beforeAll(async () => {
  host = await startAgentHost({
    model: new URL('models/configured.mjs', import.meta.url),
    agent: { user: 'reader', autoApprove: true, allowDestructive: true },
  });
  api = new AgentApi(host);
  // The agent is off until its user is there: installed before it looks for anything.
  const skill = join(host.root, 'node_modules/@harperfast/skills/harper-best-practices');
  await mkdir(join(skill, 'rules'), { recursive: true });
  await writeFile(join(skill, 'SKILL.md'), '---\nname: x\n---\nTABLES BEFORE ENDPOINTS');
  await writeFile(join(skill, 'rules', 'schema.md'), 'Declare a primary key.');
  await api.call('add_role', { role: 'boss', permission: { super_user: true } });
  await api.call('add_user', { username: 'reader', password: 'x-y-z-1', role: 'boss', active: true });
  // It looks again at most once a second.
  await pollUntil(
    () => api.send('list_agent_sessions'),
    ({ status }) => status === 200,
  );
}, 40_000);
afterAll(() => host.stop(), 40_000);

async function answerTo(message: string): Promise<string> {
  const { session_id } = await api.prompt(message);
  return answerOf(await api.untilEnded(session_id));
}

async function logText(): Promise<string> {
  return readFile(host.logPath, 'utf8');
}

describe('set_agent_config', () => {
  it('names the file to edit for what is read at the start', async () => {
    const { status, body } = await api.send('set_agent_config', { user: 'root', maxTurns: 2 });
    const problem = `agent.user is read when the process starts: change it in '${host.configPath}' and restart`;
    expect([status, body]).toEqual([
      400,
      { error: `Nothing was changed: ${problem}`, code: 'invalid_request' },
    ]);
    expect(await api.call('set_agent_config')).toMatchObject({ user: 'reader', maxTurns: 50 });
  });

  it('changes the instructions of a session at work from its next request on, once', async () => {
    const { session_id } = await api.prompt('tell your instructions');
    await api.untilEnded(session_id);
    await api.call('set_agent_config', { systemPromptAppend: 'ALWAYS SAY FOO' });
    await api.call('agent_prompt', { session_id, message: 'tell your instructions' });
    const answers = (await api.untilEnded(session_id)).messages.filter(({ role }) => role === 'assistant');
    expect(answers.map(({ content }) => content.split('ALWAYS SAY FOO').length - 1)).toEqual([0, 1]);
    await api.call('set_agent_config', { systemPromptAppend: '' });
  });

  it.each([
    [{ maxTurns: 'many' }, "agent.maxTurns is 'many', and must be a whole number from 1"],
    [{ maxCostUSD: 1 }, "agent has unknown key 'maxCostUSD', did you mean 'maxCostUsd'?"],
  ])('answers 400 to %j and changes nothing', async (patch, problem) => {
    const before = await api.call('set_agent_config');
    const { status, body } = await api.send('set_agent_config', patch);
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining(problem) }),
    ]);
    expect(await api.call('set_agent_config')).toEqual(before);
  });

  it('logs who changed what, and warns of what that risks', async () => {
    await api.call('set_agent_config', { unpricedModels: 'allow', maxTurns: 7 });
    const log = await logText();
    expect(log).toMatch(/Agent settings changed by HDB_ADMIN, until restart: .*maxTurns 50 → 7/);
    expect(log).toMatch(/warn.*unpricedModels is allow/);
    expect(log).toMatch(/warn.*autoApprove with allowDestructive/);
  });
});

describe('the system prompt', () => {
  it('has absolute roots and the best practices, and no name of a tool', async () => {
    const system = await answerTo('tell your instructions');
    expect(system).toContain(`'components' is ${host.componentsRoot}:`);
    expect(system).toContain(host.configPath);
    expect(system.split('TABLES BEFORE ENDPOINTS')).toHaveLength(2);
    const names = (await answerTo('which tools')).split(' ');
    expect(names).toEqual(expect.arrayContaining(['read_file', 'drop_table', 'harper_best_practice']));
    const words = new Set(system.match(/[\w-]+/g));
    expect(names.filter((name) => words.has(name))).toEqual([]);
  });

  it('lets a model that invents a prefix find the right path, and makes no such folder', async () => {
    const { session_id } = await api.prompt('write with a prefix');
    const calls = callsOf(await api.untilEnded(session_id));
    expect(calls.map(({ outcome }) => outcome)).toEqual(['denied', 'ok']);
    expect(calls[0]?.text).toContain("root 'components'");
    expect(existsSync(join(host.componentsRoot, 'app', 'config.yaml'))).toBe(true);
    expect(existsSync(join(host.componentsRoot, 'componentsRoot'))).toBe(false);
  });
});

describe('harper_best_practice', () => {
  it('lists rules, reads one, and takes no path', async () => {
    const { session_id } = await api.prompt('read the rules');
    const calls = callsOf(await api.untilEnded(session_id));
    expect(calls.map(({ outcome }) => outcome)).toEqual(['ok', 'ok', 'denied']);
    expect(calls[0]?.text).toContain('- schema');
    expect(calls[1]?.text).toContain('Declare a primary key.');
  });
});
