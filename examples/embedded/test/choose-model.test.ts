import { describe, expect, it } from 'vitest';
import { chooseModel } from '../src/choose-model.js';

describe('chooseModel', () => {
  it('takes the scripted model without a key', () => {
    expect(chooseModel({ ANTHROPIC_API_KEY: '' })).toMatchObject({ module: 'demo-model.js', config: {} });
  });

  it('takes the provider whose key is set, and keeps the key out of the configuration', () => {
    const choice = chooseModel({ OPENAI_API_KEY: 'sk-very-secret' });
    expect(choice).toMatchObject({
      module: 'provider-model.js',
      config: { provider: 'openai', model: 'gpt-5', apiKey: '${OPENAI_API_KEY}' },
    });
    expect(JSON.stringify(choice)).not.toContain('secret');
  });

  it('takes over the base URL of another server of the same format', () => {
    const environment = { ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' };
    expect(chooseModel(environment).config).toMatchObject({ baseUrl: '${ANTHROPIC_BASE_URL}' });
    expect(chooseModel({ ...environment, ANTHROPIC_BASE_URL: '' }).config).not.toHaveProperty('baseUrl');
  });

  it('needs the price of a model it does not know', () => {
    const environment = { ANTHROPIC_API_KEY: 'x', AGENT_MODEL: 'claude-next' };
    expect(() => chooseModel(environment)).toThrow(/claude-next[\s\S]*AGENT_PRICE/);
    expect(() => chooseModel({ ...environment, AGENT_PRICE: 'cheap' })).toThrow(/cheap/);
    expect(chooseModel({ ...environment, AGENT_PRICE: '2/8.5' }).price).toEqual({ input: 2, output: 8.5 });
  });

  it('asks nothing for ollama, which costs nothing', () => {
    expect(chooseModel({ OLLAMA_HOST: '127.0.0.1', AGENT_MODEL: 'llama4' })).toMatchObject({
      config: { provider: 'ollama', model: 'llama4', host: '${OLLAMA_HOST}' },
      price: { input: 0, output: 0 },
    });
  });
});
