import { DEFAULT_SETTINGS, systemClock } from '@harperfast/agent-core';
import { ScriptedModel } from '@harperfast/agent-testkit';
import { describe, expect, it, onTestFinished } from 'vitest';
import { agentFolder } from '../src/agent-folder.js';
import { bestPracticeTool } from '../src/best-practice/best-practice-tool.js';
import { PACKS } from '../src/config.js';
import { createFollowups } from '../src/create-followups.js';
import { openFileChanges } from '../src/file-changes.js';
import { createAgentTokens } from '../src/http/agent-tokens.js';
import { createHttpTools } from '../src/http/create-http-tools.js';
import { AGENT_OPERATIONS } from '../src/operations/agent-operations.js';
import { composeSystemPrompt } from '../src/system-prompt.js';
import { createToolProviders } from '../src/tool-providers.js';
import { openHost } from './support/open-host.js';

const facts = {
  node: 'n1',
  user: 'hdb_agent',
  superUser: true,
  appUrl: 'http://127.0.0.1:9926',
  paths: { components: '/srv/hdb/components', logs: '/srv/hdb/log', config: '/srv/hdb/harper-config.yaml' },
};

/** The names of all tools a session can have, whatever the packs. */
async function everyToolName(): Promise<readonly string[]> {
  const host = { ...(await openHost(new ScriptedModel([]))), appPort: 9926 };
  onTestFinished(() => host.close());
  const redact = (text: string) => text;
  const tokens = createAgentTokens(host.server, 'admin', systemClock);
  const followups = createFollowups(
    host,
    { followups: true },
    {
      agent: () => Object({}),
      clock: systemClock,
      redactor: { redact, redactOutput: redact },
      checkUser: async () => undefined,
    },
  );
  const providers = createToolProviders(host, {
    config: { operations: {}, maxTools: 8 },
    others: followups === undefined ? [] : [followups],
    live: { refresh: async () => new Set(PACKS) },
    componentsRoot: host.paths.components,
    http: createHttpTools(host, { allow: [] }, 'admin', tokens),
    changeLog: openFileChanges(agentFolder(host.paths), host.logger),
    hashKey: 'test',
    tokens,
    clock: systemClock,
    settings: () => ({ ...DEFAULT_SETTINGS, allowDestructive: true }),
  });
  const lists = await Promise.all(providers.map(async (provider) => provider.tools({ user: 'admin' })));
  const practices = bestPracticeTool({ overview: '', rules: [], read: async () => '' });
  return [...lists.flat(), practices, ...AGENT_OPERATIONS].map(({ name }) => name);
}

describe('composeSystemPrompt', () => {
  it('says nothing of packs that are off', () => {
    const prompt = composeSystemPrompt({ ...facts, packs: new Set(['operations', 'files']) });
    expect(prompt).not.toMatch(/'logs'|'config'|9926|http_workers|hdb\/log|harper-config/);
    expect(prompt).toContain(
      "'components' is /srv/hdb/components: the applications, one folder each, read only",
    );
    expect(composeSystemPrompt({ ...facts, packs: new Set(['operations']) })).not.toContain('/srv/hdb');
  });

  it('names the roots with their absolute paths, the address of applications and how to verify', () => {
    const prompt = composeSystemPrompt({ ...facts, packs: new Set(PACKS) });
    for (const text of [
      "'components' is /srv/hdb/components",
      "'logs' is /srv/hdb/log",
      "'config' is /srv/hdb/harper-config.yaml",
      'http_workers',
      'http://127.0.0.1:9926',
      'config.yaml',
      'n1',
    ]) {
      expect(prompt).toContain(text);
    }
  });

  it('names no tool of any pack: their descriptions are the only list', async () => {
    const prompt = composeSystemPrompt({ ...facts, packs: new Set(PACKS) });
    const names = await everyToolName();
    for (const name of [
      'read_file',
      'insert',
      'restart',
      'http_fetch',
      'schedule_followup',
      'search_tools',
      'set_agent_config',
    ]) {
      expect(names).toContain(name);
    }
    const words = new Set(prompt.match(/[\w-]+/g));
    expect(names.filter((name) => words.has(name))).toEqual([]);
  });

  it("holds Harper's best practices where they are installed, once", () => {
    const packs = new Set(PACKS);
    const prompt = composeSystemPrompt({ ...facts, packs, bestPractices: 'Tables first.' });
    expect(prompt.split('Tables first.')).toHaveLength(2);
    expect(composeSystemPrompt({ ...facts, packs })).not.toContain('in its own words');
  });
});
