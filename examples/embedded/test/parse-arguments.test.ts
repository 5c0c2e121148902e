import { describe, expect, it } from 'vitest';
import { UsageError, parseArguments } from '../src/parse-arguments.js';

describe('parseArguments', () => {
  it('reads options and a prompt of several words', () => {
    expect(parseArguments(['--once', '--json', '--root', 'here', 'say', 'hello'], '/work')).toEqual({
      help: false,
      once: true,
      json: true,
      root: '/work/here',
      prompt: 'say hello',
    });
    expect(parseArguments([], '/work')).toEqual({ help: false, once: false, json: false });
  });

  it.each([
    [['--onec'], /--onec/],
    [['--root'], /--root/],
    [['--root', ' '], /--root/],
    [['--json'], /--once/],
    [['--once', ' '], /prompt/],
  ])('refuses %j and says why', (argv, reason) => {
    expect(() => parseArguments(argv, '/work')).toThrow(UsageError);
    expect(() => parseArguments(argv, '/work')).toThrow(reason);
  });
});
