import { describe, expect, it } from 'vitest';
import { createConfiguredSecrets } from '../../src/redaction/configured-secrets.js';

function secretsOf(config: unknown, environment: NodeJS.ProcessEnv = {}): readonly string[] {
  return createConfiguredSecrets(() => config, environment)();
}

describe('createConfiguredSecrets', () => {
  it('takes what stands under names of credentials, at any depth', () => {
    const config = {
      models: { generative: [{ apiKey: 'key-of-a-model', model: 'big', maxTokens: 4096 }] },
      replication: { password: 'pass-of-replication', hostname: 'node-1' },
      credentials: [{ name: 'ci', value: 'value-of-ci' }],
      oauth: { clientSecret: 1234567890 },
    };
    expect(secretsOf(config)).toEqual(['key-of-a-model', 'pass-of-replication', 'value-of-ci', '1234567890']);
  });

  it('replaces variables, and takes neither them nor paths of files for secrets', () => {
    const config = {
      apiKey: '${MODEL_KEY_NAME}',
      token: 'Bearer ${INNER}',
      tls: { privateKey: '/opt/harper/keys/privateKey.pem' },
      missing: { password: '${NOT_SET}' },
    };
    expect(secretsOf(config, { MODEL_KEY_NAME: 'from-environment', INNER: 'inner-value' })).toEqual([
      'from-environment',
      'inner-value',
    ]);
  });

  it('takes passwords in URLs, whatever the key', () => {
    expect(secretsOf({ peers: ['wss://repl:pass-of-peer@node-2:9933'], proxy: 'http://proxy:3128' })).toEqual(
      ['pass-of-peer'],
    );
  });

  it('takes variables with names of credentials, and configuration given as a variable', () => {
    const environment = {
      HDB_ADMIN_PASSWORD: 'pass-of-admin',
      OPENAI_API_KEY: 'key-of-openai',
      HARPER_CONFIG: '{"models":{"generative":{"a":{"apiKey":"key-in-json"}}}}',
      HARPER_SET_CONFIG: 'not json',
      DATABASE_URL: 'postgres://app:pass-of-db@db/x',
      PATH: '/usr/bin',
      PWD: '/root/app',
      MAX_TOKENS: '4096',
    };
    expect(secretsOf({}, environment)).toEqual([
      'pass-of-admin',
      'key-of-openai',
      'pass-of-db',
      'key-in-json',
    ]);
  });

  it('answers the same array until the configuration is another object', () => {
    let config: unknown = { apiKey: 'first-key' };
    const values = createConfiguredSecrets(() => config, {});
    const first = values();
    expect(values()).toBe(first);
    config = { apiKey: 'second-key' };
    expect(values()).toEqual(['second-key']);
  });
});
