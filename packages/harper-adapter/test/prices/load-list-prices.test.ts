import { describe, expect, it, vi } from 'vitest';
import { loadListPrices } from '../../src/prices/load-list-prices.js';

describe('loadListPrices', () => {
  // What the providers published when the list was made, in US dollars per million tokens.
  it.each([
    ['anthropic', 'claude-sonnet-4-6', 3, 15, 0.3, 3.75],
    ['anthropic', 'claude-sonnet-4-20250514', 3, 15, 0.3, 3.75],
    ['anthropic', 'claude-opus-4-5', 5, 25, 0.5, 6.25],
    ['anthropic', 'claude-haiku-4-5-20251001', 1, 5, 0.1, 1.25],
    ['openai', 'gpt-5', 1.25, 10, 0.125],
    ['openai', 'gpt-5-2025-08-07', 1.25, 10, 0.125],
    ['openai', 'gpt-5-mini', 0.25, 2, 0.025],
    ['openai', 'gpt-5.2', 1.75, 14, 0.175],
    ['openai', 'gpt-4.1', 2, 8, 0.5],
    ['openai', 'gpt-4o-2024-08-06', 2.5, 10, 1.25],
    ['openai', 'o3', 2, 8, 0.5],
    ['bedrock', 'global.anthropic.claude-sonnet-4-5-20250929-v1:0', 3, 15, 0.3, 3.75],
    ['bedrock', 'us.anthropic.claude-sonnet-4-5-20250929-v1:0', 3.3, 16.5, 0.33, 4.125],
    ['bedrock', 'amazon.nova-pro-v1:0', 0.8, 3.2, 0.2],
  ])('knows %s %s', async (backend, model, input, output, cachedInput, cacheWriteInput?: number) => {
    const list = await loadListPrices();
    expect(list.priceOf({ backend, model })).toEqual({ input, output, cachedInput, cacheWriteInput });
  });

  it('takes the dearest tier of a model that costs more with a long prompt', async () => {
    const list = await loadListPrices();
    expect(list.priceOf({ backend: 'openai', model: 'gpt-5.4' })).toEqual({
      input: 5,
      output: 22.5,
      cachedInput: 0.5,
    });
    expect(list.priceOf({ backend: 'openai', model: 'gpt-5.5' })).toEqual({
      input: 10,
      output: 45,
      cachedInput: 1,
    });
  });

  it('takes the provider at the address that requests go to, and its dearest hour', async () => {
    const list = await loadListPrices();
    const at = (baseUrl: string, model: string) => list.priceOf({ backend: 'openai', model, baseUrl });
    expect(at('https://api.openai.com/v1', 'gpt-5')).toMatchObject({ input: 1.25 });
    expect(at('https://api.deepseek.com/v1', 'deepseek-v4-pro')).toMatchObject({ input: 1.32, output: 3.96 });
    expect(at('http://127.0.0.1:8000/v1', 'gpt-5')).toBeUndefined();
    expect(
      list.priceOf({ backend: 'anthropic', model: 'claude-sonnet-4-6', baseUrl: 'https://proxy.example' }),
    ).toBeUndefined();
  });

  it.each([
    ['anthropic', 'claude-nonesuch-9'],
    ['anthropic', 'gpt-5'],
    ['openai', 'claude-sonnet-4-6'],
    ['openai', 'ft:gpt-4o:mine'],
    ['openai', '__proto__'],
    ['openai', ''],
    ['openai', undefined],
    ['./models/mine.mjs', 'gpt-5'],
    ['ollama', 'llama3'],
    [undefined, 'gpt-5'],
  ])('does not know %s %s', async (backend, model) => {
    const list = await loadListPrices();
    expect(list.priceOf({ backend, model })).toBeUndefined();
  });

  it('fetches nothing', async () => {
    const fetched = vi.spyOn(globalThis, 'fetch');
    const list = await loadListPrices();
    list.priceOf({ backend: 'openai', model: 'gpt-5' });
    list.priceOf({ backend: 'openai', model: 'no-such-model' });
    expect(fetched).not.toHaveBeenCalled();
    fetched.mockRestore();
  });
});
