import { describe, expect, it } from 'vitest';
import { choosePacks } from '../src/choose-packs.js';
import { PACKS } from '../src/config.js';
import { composeSystemPrompt } from '../src/system-prompt.js';

describe('choosePacks', () => {
  const facts = { superUser: true, hasApp: true, localIsSuperUser: false };
  const plain = { tools: [], httpFetch: true };
  const chosen = (...given: Parameters<typeof choosePacks>) => [...choosePacks(...given)].toSorted();

  it('gives a super_user everything', () => {
    expect(chosen(plain, { ...facts, localIsSuperUser: true })).toEqual(PACKS.toSorted());
  });

  it('keeps what reaches past a role from any other user, unless it is named', () => {
    const limited = { ...facts, superUser: false };
    expect(chosen(plain, limited)).toEqual(['files', 'http', 'operations']);
    expect(chosen({ ...plain, tools: ['logs'] }, limited)).toEqual(['files', 'http', 'logs', 'operations']);
  });

  it('counts http among it where the host takes local requests for those of a super_user', () => {
    const limited = { ...facts, superUser: false, localIsSuperUser: true };
    expect(chosen(plain, limited)).toEqual(['files', 'operations']);
    expect(chosen({ ...plain, tools: ['http'] }, limited)).toEqual(['files', 'http', 'operations']);
  });

  it('has no http where it is switched off or nothing is served, named or not', () => {
    const named = { ...plain, tools: ['http' as const] };
    expect(chosen({ ...named, httpFetch: false }, facts)).not.toContain('http');
    expect(chosen(named, { ...facts, hasApp: false })).not.toContain('http');
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
