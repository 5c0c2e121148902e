import { describe, expect, it } from 'vitest';
import { cleanEnvironment, npmEnvironment, withoutKeys } from '../../src/process/environment.js';

const given = {
  PATH: '/bin',
  ANTHROPIC_API_KEY: 'a',
  DATABASE_PASSWORD: 'b',
  NPM_TOKEN: 'c',
  npm_config_registry: 'd',
  npm_config_https_proxy: 'e',
  npm_config_omit: 'dev',
  npm_lifecycle_event: 'start',
  NODE_OPTIONS: '--conditions development',
  VITEST_POOL_ID: '1',
};

describe('the environment', () => {
  it('of HarperDB is ours, without what npm and a test runner put there', () => {
    expect(Object.keys(cleanEnvironment(given))).toEqual([
      'PATH',
      'ANTHROPIC_API_KEY',
      'DATABASE_PASSWORD',
      'NPM_TOKEN',
    ]);
  });

  it('of its installation has no keys', () => {
    expect(withoutKeys(cleanEnvironment(given))).toEqual({ PATH: '/bin', NPM_TOKEN: 'c' });
  });

  it('of npm has no keys, and says where packages come from', () => {
    expect(npmEnvironment(given)).toMatchObject({
      NPM_TOKEN: 'c',
      npm_config_registry: 'd',
      npm_config_https_proxy: 'e',
    });
    expect(
      Object.keys(npmEnvironment(given)).filter((name) => /KEY|PASSWORD|omit|lifecycle/.test(name)),
    ).toEqual([]);
  });
});
