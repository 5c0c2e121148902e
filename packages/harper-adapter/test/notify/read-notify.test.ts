import { describe, expect, it } from 'vitest';
import { readNotify, showNotify } from '../../src/notify/read-notify.js';

const url = 'https://hooks.example.com/services/T1/B2/secret-path';

describe('readNotify', () => {
  it('fills in variables, and knows what must not be shown', () => {
    const given = {
      url,
      headers: { authorization: 'Bearer ${HOOK_TOKEN}', 'x-team': 'ops', 'content-type': 'application/json' },
    };
    const target = readNotify(given, { HOOK_TOKEN: 'token-of-the-hook' });
    expect(target.headers).toEqual({
      authorization: 'Bearer token-of-the-hook',
      'x-team': 'ops',
      'content-type': 'application/json',
    });
    expect(target.secrets).toEqual([url, 'Bearer token-of-the-hook', 'token-of-the-hook', 'ops']);
    expect(showNotify(target)).toEqual({
      url: 'https://hooks.example.com',
      headers: ['authorization', 'x-team', 'content-type'],
    });
  });

  it('does not mask the mere name of a host', () => {
    expect(readNotify({ url: 'https://hooks.example.com' }, {}).secrets).toEqual([]);
    const query = 'https://hooks.example.com/?key=1';
    expect(readNotify({ url: query }, {}).secrets).toEqual([query]);
  });

  it.each([{}, { HOOK_TOKEN: '' }])('names a variable that is not set: %j', (environment) => {
    const given = { url, headers: { 'x-key': '${HOOK_TOKEN}' } };
    expect(() => readNotify(given, environment)).toThrow(
      /agent\.notify\.headers\.x-key names the environment variable HOOK_TOKEN, which is not set/,
    );
  });
});
