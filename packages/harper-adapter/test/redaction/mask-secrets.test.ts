import { REDACTION_MARK } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import { maskSecrets } from '../../src/redaction/mask-secrets.js';

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

  it('shows which variable and which file a credential comes from', () => {
    const config = { apiKey: '${OPENAI_API_KEY}', tls: { privateKey: '/opt/keys/privateKey.pem' } };
    expect(maskSecrets(config)).toEqual(config);
  });
});
