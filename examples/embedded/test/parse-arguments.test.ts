import { describe, expect, it } from 'vitest';
import { UsageError, parseArguments } from '../src/parse-arguments.js';

describe('parseArguments', () => {
  it('reads options and a prompt of several words', () => {
    expect(parseArguments(['--once', '--json', '--root', 'here', 'say', 'hello'], '/work')).toEqual({
      help: false,
      once: true,
      json: true,
      host: 'embedded',
      root: '/work/here',
      prompt: 'say hello',
    });
    expect(parseArguments([], '/work')).toEqual({
      help: false,
      once: false,
      json: false,
      host: 'embedded',
    });
    expect(parseArguments(['--host', 'harperdb'], '/work')).toMatchObject({ host: 'harperdb' });
  });

  it.each([
    [['--onec'], /--onec/],
    [['--root'], /--root/],
    [['--root', ' '], /--root/],
    [['--host', 'mine'], /embedded, harperdb/],
    [['--json'], /--once/],
    [['--once', ' '], /prompt/],
  ])('refuses %j and says why', (argv, reason) => {
    expect(() => parseArguments(argv, '/work')).toThrow(UsageError);
    expect(() => parseArguments(argv, '/work')).toThrow(reason);
  });
});
