import { describe, expect, it } from 'vitest';
import { parseConfig } from '../src/config.js';

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
      httpFetch: true,
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
    });
    expect(config).toMatchObject({
      enabled: true,
      autoApprove: false,
      maxTurns: 7,
      maxCostUsd: 0.25,
      maxTokens: 2048,
    });
    expect(config.tools).toEqual(['logs', 'config']);
    expect(config.prices).toEqual({ default: { input: 3, output: 15 } });
  });

  it.each([
    [{ maxCostUSD: 1 }, "agent has unknown key 'maxCostUSD'"],
    [{ maxTurns: 0 }, 'agent.maxTurns'],
    [{ maxTurns: 1.5 }, 'agent.maxTurns'],
    [{ maxTurns: 'many' }, 'agent.maxTurns'],
    [{ maxCostUsd: -1 }, 'agent.maxCostUsd'],
    [{ maxCostUsd: '' }, 'agent.maxCostUsd'],
    [{ maxCostUsd: 'Infinity' }, 'agent.maxCostUsd'],
    [{ enabled: 'yes' }, 'agent.enabled'],
    [{ enabled: null }, 'agent.enabled'],
    [{ approvals: { write_file: 'maybe' } }, 'agent.approvals.write_file'],
    [{ prices: { default: { input: 1 } } }, 'agent.prices.default.output'],
    [{ tools: ['inspectr'] }, 'agent.tools'],
    [{ httpFetch: { allow: ['example.com'] } }, 'agent.httpFetch'],
  ])('names the key of %j', (block, text) => {
    const problems = problemsOf(block);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(text);
  });

  it('names every key that is wrong, not the first one', () => {
    expect(problemsOf({ maxTurns: 'x', autoAprove: true })).toHaveLength(2);
  });
});
