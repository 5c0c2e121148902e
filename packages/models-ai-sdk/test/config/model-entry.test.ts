import { describe, expect, it } from 'vitest';
import { parseModelEntry } from '../../src/config/model-entry.js';

const environment = { ANTHROPIC_API_KEY: 'key-a', BASE: 'http://127.0.0.1:8080', EMPTY: '' };
const parse = (entry: unknown) => parseModelEntry(entry, 'models.generative.bad', environment);
const anthropic = { backend: 'anthropic', model: 'm', apiKey: '${ANTHROPIC_API_KEY}' };

describe('parseModelEntry', () => {
  it('takes the provider from the backend, and what is named from the environment', () => {
    expect(parse({ ...anthropic, baseUrl: '${BASE}/proxy', fallback: ['small'] })).toEqual({
      backend: 'anthropic',
      provider: 'anthropic',
      model: 'm',
      apiKey: 'key-a',
      baseUrl: 'http://127.0.0.1:8080/proxy',
      fallback: ['small'],
    });
  });

  it('takes the provider by its name where the backend is a module', () => {
    expect(parse({ backend: './module.js', provider: 'ollama', model: 'q' })).toMatchObject({
      provider: 'ollama',
      host: '',
    });
  });

  it('takes a key that the host has put in place of the variable', () => {
    expect(parse({ ...anthropic, apiKey: 'key-a' })).toMatchObject({ apiKey: 'key-a' });
  });

  it.each([
    ['a key that is written down', { ...anthropic, apiKey: 'sk-literal-secret' }, /apiKey is no reference/],
    ['an empty key', { ...anthropic, apiKey: '' }, /apiKey is no reference/],
    ['a key beside other text', { ...anthropic, apiKey: 'x${ANTHROPIC_API_KEY}' }, /apiKey is no reference/],
    ['a variable that is not set', { ...anthropic, apiKey: '${NOBODY_SET_THIS}' }, /no NOBODY_SET_THIS/],
    ['a variable that is empty', { ...anthropic, baseUrl: '${EMPTY}' }, /no EMPTY/],
    ['no key', { backend: 'anthropic', model: 'm' }, /apiKey/],
    ['a misspelt setting', { ...anthropic, baseURL: 'http://x' }, /baseURL/],
    ["another provider's setting", { ...anthropic, organization: 'o' }, /organization/],
    ['a URL that is none', { ...anthropic, baseUrl: 'file:///etc' }, /http/],
    [
      'a provider it does not know',
      { ...anthropic, backend: 'bedrock' },
      /'anthropic' \| 'openai' \| 'ollama'/,
    ],
    ['no model', { ...anthropic, model: undefined }, /model/],
    ['no entry at all', 'anthropic', /expected object/],
  ])('refuses %s, and names the entry but no key', (_what, entry, problem) => {
    const message = messageOf(() => parse(entry));
    expect(message).toMatch(problem);
    expect(message).toContain('models.generative.bad');
    expect(message).not.toMatch(/literal-secret|key-a/);
  });
});

function messageOf(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return 'nothing was refused';
}
