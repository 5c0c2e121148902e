import { DEFAULT_SETTINGS, patchSettings } from '@harperfast/agent-core';
import { describe, expect, it } from 'vitest';
import { blockSchema, namedSettings, parseConfig, settingsOf } from '../src/config.js';

const hostKeys = {
  server: {},
  ensureTable: () => undefined,
  port: 9926,
  securePort: null,
  resources: new Map(),
};

function configOf(block: object) {
  const parsed = parseConfig({ ...hostKeys, ...block });
  if (!parsed.ok) throw new Error(parsed.problems.join('; '));
  return parsed.config;
}

function problemsOf(block: object): readonly string[] {
  const parsed = parseConfig({ ...hostKeys, ...block });
  return parsed.ok ? [] : parsed.problems;
}

describe('parseConfig', () => {
  it('is disabled unless the block says otherwise', () => {
    expect(configOf({})).toMatchObject({
      enabled: false,
      user: 'hdb_agent',
      tools: [],
      httpFetch: { allow: [] },
      prices: {},
    });
  });

  it('does not take what the host adds for keys of the block', () => {
    expect(problemsOf({ package: 'x', enabled: true })).toEqual([]);
  });

  it('takes numbers, flags and lists as the strings environment variables are', () => {
    const config = configOf({
      enabled: 'true',
      autoApprove: 'false',
      maxTurns: '7',
      maxCostUsd: '0.25',
      maxTokens: ' 2048 ',
      tools: 'logs, config',
      prices: { default: { input: '3', output: '15' } },
      contextWindow: '200000',
      resumeAfterCrash: 'true',
      retentionDays: '0.5',
    });
    expect(config).toMatchObject({
      enabled: true,
      autoApprove: false,
      maxTurns: 7,
      maxCostUsd: 0.25,
      maxTokens: 2048,
      contextWindow: 200_000,
      resumeAfterCrash: true,
      retentionDays: 0.5,
    });
    expect(config.tools).toEqual(['logs', 'config']);
    expect(config.prices).toEqual({ default: { input: 3, output: 15 } });
  });

  it('takes followups switched off, and their limits as text', () => {
    expect(configOf({}).followups).toBe(true);
    expect(configOf({ followups: 'false' }).followups).toBe(false);
    expect(configOf({ followups: { minSeconds: '60', graceSeconds: '0' } }).followups).toEqual({
      minSeconds: 60,
      graceSeconds: 0,
    });
  });

  it.each([
    [true, true],
    ['false', false],
    [{ allow: ['example.com', '10.0.0.0/8'] }, { allow: ['example.com', '10.0.0.0/8'] }],
    [{ allow: 'example.com, *.example.org:8443' }, { allow: ['example.com', '*.example.org:8443'] }],
    [{ allow: '' }, { allow: [] }],
  ])('takes httpFetch %j', (given, expected) => {
    expect(configOf({ httpFetch: given }).httpFetch).toEqual(expected);
  });

  it('takes no name for another: what is unknown is named with what it may have meant', () => {
    expect(problemsOf({ maxCostUSD: 1 })).toEqual([
      "agent has unknown key 'maxCostUSD', did you mean 'maxCostUsd'?",
    ]);
    expect(problemsOf({ maxResultBytes: 2048, colour: 1 })).toEqual([
      "agent has unknown keys 'maxResultBytes', did you mean 'maxToolResultBytes'? 'colour'",
    ]);
    expect(problemsOf({ httpFetch: { alow: [] } })).toEqual([
      'agent.httpFetch.allow is missing, and must be a list of hosts',
      "agent.httpFetch has unknown key 'alow', did you mean 'allow'?",
    ]);
  });

  it.each([
    [{ maxTurns: 'many' }, "agent.maxTurns is 'many', and must be a whole number from 1"],
    [{ maxTurns: 0 }, 'agent.maxTurns is 0, and must be a whole number from 1'],
    [{ maxTurns: '0' }, 'agent.maxTurns is 0, and must be a whole number from 1'],
    [{ maxTools: 200 }, 'agent.maxTools is 200, and must be a whole number from 8 to 128'],
    [{ maxCostUsd: -0.5 }, 'agent.maxCostUsd is -0.5, and must be a number from 0 to 1000000'],
    [{ autoApprove: 1 }, 'agent.autoApprove is 1, and must be true or false'],
    [{ user: '' }, "agent.user is '', and must be a text that is not empty"],
    [{ unpricedModels: 'yes' }, "agent.unpricedModels is 'yes', and must be refuse or allow"],
    [{ approvals: { insert: true } }, 'agent.approvals.insert is true, and must be one of allow, ask, deny'],
    [{ prices: { a: { input: 1 } } }, 'agent.prices.a.output is missing, and must be a number from 0'],
    [{ followups: { minSeconds: 0 } }, 'agent.followups.minSeconds is 0, and must be a number from 1'],
    [{ httpFetch: ['a'] }, 'agent.httpFetch is a list, and must be true, false or { allow: [hosts] }'],
    [
      { approvals: { 'drop_*': 'allow' } },
      "agent.approvals has 'allow' for a pattern, and 'allow' needs the exact name of a tool; a pattern can only 'ask' or 'deny'",
    ],
  ])('says of %j what it is and what is allowed', (block, problem) => {
    expect(problemsOf(block)).toEqual([problem]);
  });

  it('names the entry of a list that does not fit', () => {
    const one = /^agent\.tools\.1 is 'inspectr', and must be one of operations, files, .*inspector$/;
    expect(problemsOf({ tools: ['logs', 'inspectr'] })).toEqual([expect.stringMatching(one)]);
    expect(problemsOf({ tools: 'logs,inspectr' })).toEqual([expect.stringMatching(one)]);
  });

  it('repeats no secret, and no text without an end', () => {
    const secret = 'xoxb-1234';
    const notify = { url: `ftp://${secret}@example.com`, headers: { authorization: [secret] } };
    const problems = problemsOf({ notify, unpricedModels: 'x'.repeat(5000) });
    expect(problems).toHaveLength(3);
    expect(problems.join()).toMatch(/agent\.notify\.url .*agent\.notify\.headers\.authorization /);
    expect(problems.join()).not.toContain(secret);
    expect(problems.join().length).toBeLessThan(600);
  });

  it.each([
    [{ maxCostUSD: 1 }, "agent has unknown key 'maxCostUSD'"],
    [{ maxTurns: 0 }, 'agent.maxTurns'],
    [{ maxTurns: 1.5 }, 'agent.maxTurns'],
    [{ maxTurns: 'many' }, 'agent.maxTurns'],
    [{ maxCostUsd: -1 }, 'agent.maxCostUsd'],
    [{ maxCostUsd: '' }, 'agent.maxCostUsd'],
    [{ maxCostUsd: 'Infinity' }, 'agent.maxCostUsd'],
    [{ contextWindow: 999 }, 'agent.contextWindow'],
    [{ resumeAfterCrash: 'sometimes' }, 'agent.resumeAfterCrash'],
    [{ retentionDays: -1 }, 'agent.retentionDays'],
    [{ enabled: 'yes' }, 'agent.enabled'],
    [{ enabled: null }, 'agent.enabled'],
    [{ approvals: { write_file: 'maybe' } }, 'agent.approvals.write_file'],
    [{ prices: { default: { input: 1 } } }, 'agent.prices.default.output'],
    [{ tools: ['inspectr'] }, 'agent.tools'],
    [{ httpFetch: ['example.com'] }, 'agent.httpFetch'],
    [{ httpFetch: 'yes' }, 'agent.httpFetch'],
    [{ followups: { minSeconds: 0 } }, 'agent.followups'],
    [{ followups: { every: 5 } }, 'agent.followups'],
    [{ maxUnattendedRuns: 0 }, 'agent.maxUnattendedRuns'],
  ])('names the key of %j', (block, text) => {
    const problems = problemsOf(block);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(text);
  });

  it('names every key that is wrong, not the first one', () => {
    expect(problemsOf({ maxTurns: 'x', autoAprove: true })).toHaveLength(2);
  });
});

describe('settingsOf', () => {
  it('holds every setting of the engine that was given, and no key of the adapter', () => {
    const given = {
      model: 'coder',
      maxTurns: 7,
      maxCostUsd: 1,
      maxTokens: 1000,
      autoApprove: true,
      allowDestructive: true,
      approvals: { write_file: 'ask' },
      unpricedModels: 'allow',
      systemPromptAppend: 'Be brief.',
      maxPromptBytes: 5,
      maxToolResultBytes: 2048,
      toolTimeoutMs: 9,
      maxUnattendedRuns: 50,
      maxConcurrentRuns: 3,
      contextWindow: 50_000,
      resumeAfterCrash: true,
      retentionDays: 30,
    };
    const settings = settingsOf(
      configOf({ enabled: true, provider: 'x', user: 'y', tools: ['logs'], ...given }),
    );
    const { maxToolResultBytes, ...same } = given;
    expect(settings).toEqual({ ...same, maxResultBytes: maxToolResultBytes });
    expect(Object.keys(settings)).toEqual(expect.arrayContaining(Object.keys(DEFAULT_SETTINGS)));
    expect(settingsOf(configOf({}))).toEqual({});
  });

  it('takes nothing that the engine refuses', () => {
    for (const [name, value] of [
      ['maxCostUsd', 1_000_001],
      ['maxToolResultBytes', 1023],
      ['contextWindow', 999],
    ]) {
      expect(problemsOf({ [String(name)]: value })).toHaveLength(1);
    }
    for (const [name, value] of [
      ['maxCostUsd', 1_000_000],
      ['maxToolResultBytes', 1024],
      ['contextWindow', 1000],
    ]) {
      expect(() =>
        patchSettings(DEFAULT_SETTINGS, settingsOf(configOf({ [String(name)]: value }))),
      ).not.toThrow();
    }
  });
});

describe('namedSettings', () => {
  it("calls the engine's settings what the file calls them", () => {
    const named = namedSettings({ ...DEFAULT_SETTINGS, maxResultBytes: 2048 });
    expect(named).toMatchObject({ maxToolResultBytes: 2048, model: null, contextWindow: null, maxTurns: 50 });
    for (const name of Object.keys(named)) expect(Object.keys(blockSchema.shape)).toContain(name);
  });
});
