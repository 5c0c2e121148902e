import { describe, expect, it } from 'vitest';
import { choosePacks } from '../src/choose-packs.js';
import { PACKS } from '../src/config.js';
import { composeSystemPrompt } from '../src/system-prompt.js';

describe('choosePacks', () => {
  const facts = { superUser: true };
  const plain = { tools: [], httpFetch: true, followups: true };
  const chosen = (...given: Parameters<typeof choosePacks>) => [...choosePacks(...given)].toSorted();

  it('gives a super_user everything but the inspector, which has to be named', () => {
    expect(chosen(plain, facts)).toEqual(PACKS.filter((pack) => pack !== 'inspector').toSorted());
    expect(chosen({ ...plain, tools: ['inspector'] }, facts)).toEqual(PACKS.toSorted());
  });

  it('keeps what reaches past a role from any other user, unless it is named', () => {
    const limited = { superUser: false };
    expect(chosen(plain, limited)).toEqual(['files', 'http', 'operations', 'schedule']);
    expect(chosen({ ...plain, tools: ['logs'] }, limited)).toEqual([
      'files',
      'http',
      'logs',
      'operations',
      'schedule',
    ]);
  });

  it('has no followups where they are switched off, named or not', () => {
    for (const tools of [[], ['schedule' as const]]) {
      expect(chosen({ ...plain, tools, followups: false }, facts)).not.toContain('schedule');
      expect(chosen({ ...plain, tools, followups: { minSeconds: 60 } }, facts)).toContain('schedule');
    }
  });

  it('has no http where it is switched off, named or not', () => {
    for (const tools of [[], ['http' as const]]) {
      expect(chosen({ ...plain, tools, httpFetch: false }, facts)).not.toContain('http');
      expect(chosen({ ...plain, tools, httpFetch: { allow: [] } }, facts)).toContain('http');
    }
  });
});

describe('composeSystemPrompt', () => {
  const facts = { node: 'n1', user: 'hdb_agent', superUser: true, appUrl: 'http://127.0.0.1:9926' };

  it('says nothing of packs that are off', () => {
    const prompt = composeSystemPrompt({ ...facts, packs: new Set(['operations', 'files']) });
    expect(prompt).not.toMatch(/'logs'|'config'|9926|http_workers|_file|http_fetch/);
    expect(prompt).toContain("'components'");
    expect(prompt).toContain('read only');
  });

  it('names roots, the application address and how to verify when they are there', () => {
    const prompt = composeSystemPrompt({ ...facts, packs: new Set(PACKS) });
    for (const text of [
      "'components'",
      "'logs'",
      "'config'",
      'http_workers',
      'http://127.0.0.1:9926',
      'n1',
    ]) {
      expect(prompt).toContain(text);
    }
  });

  it('names no tool: their descriptions are the only list', () => {
    const prompt = composeSystemPrompt({ ...facts, packs: new Set(PACKS) });
    expect(prompt).not.toMatch(/\b[a-z]+_(file|dir|fetch|service|all|table|log)\b/);
  });
});
