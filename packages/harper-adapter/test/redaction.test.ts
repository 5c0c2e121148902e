import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { createConfigRedactor } from '../src/redaction/create-config-redactor.js';
import { maskSecrets } from '../src/redaction/mask-secrets.js';

describe('maskSecrets', () => {
  it('masks texts under keys that name a credential, at any depth, and leaves limits alone', () => {
    const masked = maskSecrets({
      models: {
        generative: { default: { apiKey: 'sk-live-1', model: 'big-1', baseUrl: 'https://u:pw12@proxy/v1' } },
      },
      agent: { maxTokens: 4096, autoApprove: false },
      credentials: [{ name: 'ci', value: 'abc' }],
      auth_token: '',
    });
    expect(masked).toEqual({
      models: {
        generative: {
          default: {
            apiKey: REDACTION_MARK,
            model: 'big-1',
            baseUrl: `https://u:${REDACTION_MARK}@proxy/v1`,
          },
        },
      },
      agent: { maxTokens: 4096, autoApprove: false },
      credentials: [{ name: REDACTION_MARK, value: REDACTION_MARK }],
      auth_token: '',
    });
  });
});

describe('createConfigRedactor', () => {
  it('takes configured credentials and those behind environment variables out of any text', async () => {
    const config = {
      models: { generative: { a: { apiKey: 'literal-1234-key' }, b: { apiKey: '${MY_KEY}' } } },
      replication: { password: 'on' },
    };
    const redactor = createConfigRedactor(() => config, { MY_KEY: 'from-environment-99' });
    const text = 'x literal-1234-key y from-environment-99 z MY_KEY on';
    const masked = `x ${REDACTION_MARK} y ${REDACTION_MARK} z MY_KEY on`;
    expect(await redactor.redact(text)).toBe(masked);
    expect(await redactor.redactOutput(text)).toBe(masked);
  });

  it('follows a configuration that is replaced', async () => {
    let config: unknown = {};
    const redactor = createConfigRedactor(() => config);
    expect(await redactor.redact('a later-value-5678')).toBe('a later-value-5678');
    config = { apiKey: 'later-value-5678' };
    expect(await redactor.redact('a later-value-5678')).toBe(`a ${REDACTION_MARK}`);
  });
});
