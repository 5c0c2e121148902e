import { describe, expect, it } from 'vitest';
import { chooseModel } from '../src/choose-model.js';

const host = {
  models: {
    generative: {
      default: { backend: 'anthropic', model: 'claude-sonnet-4-6' },
      coder: { backend: 'anthropic', model: 'claude-opus-4-8' },
      cheap: { backend: 'openai', model: 'gpt-5.5' },
      proxy: { backend: 'openai', model: 'claude-opus-4-8', baseUrl: 'https://proxy.example/v1' },
    },
  },
};

describe('chooseModel', () => {
  it.each([
    [{}, undefined],
    [{ model: 'coder' }, 'coder'],
    [{ model: 'gpt-5.5' }, 'cheap'],
    [{ model: 'claude-opus-4-8', provider: 'openai' }, 'proxy'],
    [{ model: 'claude-opus-4-8', provider: 'anthropic' }, 'coder'],
    // A logical name needs no provider, whatever it says.
    [{ model: 'coder', provider: 'openai' }, 'coder'],
    // Of several entries of a backend the default one is meant.
    [{ provider: 'anthropic' }, 'default'],
  ])('takes %j for the logical name %s', (wanted, name) => {
    expect(chooseModel(host, wanted)).toBe(name);
  });

  it.each([
    [{ model: 'gpt-9' }, /agent\.model is 'gpt-9'.*no entry/],
    [{ model: 'claude-opus-4-8' }, /several entries.*\(coder, proxy\)/],
    [{ model: 'gpt-5.5', provider: 'anthropic' }, /no entry .* the backend 'anthropic'/],
    [{ provider: 'bedrock' }, /agent\.provider is 'bedrock'.*no entry/],
    [{ provider: 'openai' }, /several entries.*\(cheap, proxy\)/],
    [{ model: 'constructor' }, /no entry/],
  ])('refuses %j, with the logical names there are', (wanted, problem) => {
    expect(() => chooseModel(host, wanted)).toThrow(problem);
    expect(() => chooseModel(host, wanted)).toThrow('default, coder, cheap, proxy');
  });

  it('takes the one entry of a backend', () => {
    const { default: _default, proxy: _proxy, ...generative } = host.models.generative;
    expect(chooseModel({ models: { generative } }, { provider: 'openai' })).toBe('cheap');
  });

  it.each([{}, undefined, { models: { generative: {} } }, { models: { generative: { a: 5 } } }])(
    'leaves names to a host whose models are not configured: %j',
    (config) => {
      expect(chooseModel(config, { model: 'own', provider: 'x' })).toBe('own');
      expect(chooseModel(config, {})).toBeUndefined();
    },
  );
});
