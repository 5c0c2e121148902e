import { DEFAULT_SETTINGS } from '@harperfast/agent-core';
import { describe, expect, it } from 'vitest';
import { parseConfig, settingsOf } from '../src/config.js';

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
    [{ httpFetch: { alow: ['example.com'] } }, 'agent.httpFetch'],
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
      maxResultBytes: 2048,
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
    expect(settings).toEqual(given);
    expect(Object.keys(given)).toEqual(expect.arrayContaining(Object.keys(DEFAULT_SETTINGS)));
    expect(settingsOf(configOf({}))).toEqual({});
  });
});
