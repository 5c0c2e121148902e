import { DEFAULT_SETTINGS } from '@harperfast/agent-core';
import { describe, expect, it } from 'vitest';
import { findRisks, warnOfRisks } from '../src/warn-of-risks.js';

const superUser = {
  username: 'robot',
  superUser: true,
  user: { role: { permission: { super_user: true } } },
};
const listed = {
  ...superUser,
  user: { role: { permission: { super_user: true, operations: ['read_only'] } } },
};
const quiet = { localIsSuperUser: false };
const closed = { httpFetch: { allow: [] } };

describe('findRisks', () => {
  it('finds nothing about the defaults, or about half of a combination', () => {
    expect(findRisks(quiet, closed, DEFAULT_SETTINGS, superUser)).toEqual([]);
    expect(findRisks(quiet, closed, { ...DEFAULT_SETTINGS, autoApprove: true }, superUser)).toEqual([]);
    expect(findRisks(quiet, closed, { ...DEFAULT_SETTINGS, allowDestructive: true }, superUser)).toEqual([]);
    expect(findRisks(quiet, closed, DEFAULT_SETTINGS, { ...listed, superUser: false })).toEqual([]);
  });

  it.each([
    [
      'autoApprove',
      findRisks(quiet, closed, { ...DEFAULT_SETTINGS, autoApprove: true, allowDestructive: true }, superUser),
    ],
    ['unpricedModels', findRisks(quiet, closed, { ...DEFAULT_SETTINGS, unpricedModels: 'allow' }, superUser)],
    ['httpFetch', findRisks(quiet, { httpFetch: true }, DEFAULT_SETTINGS, superUser)],
    ["the role of 'robot'", findRisks(quiet, closed, DEFAULT_SETTINGS, listed)],
    [
      'authentication.authorizeLocal',
      findRisks({ localIsSuperUser: true }, closed, DEFAULT_SETTINGS, superUser),
    ],
  ])('has one line about %s', (subject, lines) => {
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${subject}`))]);
  });
});

describe('warnOfRisks', () => {
  it('warns when a risk comes up, and again only when it was gone', () => {
    const log: string[] = [];
    const nothing = () => undefined;
    const logger = {
      debug: nothing,
      info: nothing,
      warn: (line: string) => void log.push(line),
      error: nothing,
    };
    const warn = warnOfRisks({ ...quiet, logger }, closed);
    const risky = { ...DEFAULT_SETTINGS, unpricedModels: 'allow' as const };
    for (const settings of [risky, risky, DEFAULT_SETTINGS, risky]) warn(settings, superUser);
    expect(log).toHaveLength(2);
  });
});
