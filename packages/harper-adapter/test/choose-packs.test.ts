import { describe, expect, it } from 'vitest';
import { choosePacks } from '../src/choose-packs.js';
import { PACKS } from '../src/config.js';

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
