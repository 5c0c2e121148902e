import { describe, expect, it } from 'vitest';
import { createConfigPriceBook } from '../src/prices/create-config-price-book.js';

const hostConfig = {
  models: {
    generative: {
      default: { backend: 'anthropic', model: 'big-1', fallback: ['cheap', 'local'] },
      cheap: { backend: 'openai', model: 'small-1' },
      local: { backend: 'ollama', model: 'anything' },
      scripted: { backend: './scripted.mjs' },
    },
  },
};

const book = (prices: Parameters<typeof createConfigPriceBook>[0], config: unknown = hostConfig) =>
  createConfigPriceBook(prices, () => config);

describe('createConfigPriceBook', () => {
  it('prices by logical name and by the name of the model behind it', () => {
    expect(book({ cheap: { input: 1, output: 2 } }).price('cheap')).toMatchObject({ input: 1, output: 2 });
    expect(book({ 'small-1': { input: 1, output: 2 } }).price('cheap')).toMatchObject({
      input: 1,
      output: 2,
    });
  });

  it('prices a group as its dearest member, figure by figure', () => {
    const prices = book({
      'big-1': { input: 3, output: 15, cachedInput: 0.3 },
      cheap: { input: 4, output: 1 },
    });
    expect(prices.price('default')).toEqual({ input: 4, output: 15, cachedInput: 4 });
    expect(prices.price(undefined)).toEqual(prices.price('default'));
  });

  it('does not know the price of a group with a member it does not know', () => {
    expect(book({ 'big-1': { input: 3, output: 15 } }).price('default')).toBeUndefined();
  });

  it('knows that ollama is free, and nothing of a module or an unknown name', () => {
    expect(book({}).price('local')).toMatchObject({ input: 0, output: 0 });
    expect(book({}).price('scripted')).toBeUndefined();
    expect(book({}).price('no-such-model')).toBeUndefined();
    expect(book({}, undefined).price(undefined)).toBeUndefined();
    expect(book({}).price('__proto__')).toBeUndefined();
    expect(book({}).price('constructor')).toBeUndefined();
  });

  it('follows the host when its models change', () => {
    let config: unknown = hostConfig;
    const prices = createConfigPriceBook({ 'small-2': { input: 5, output: 5 } }, () => config);
    expect(prices.price('cheap')).toBeUndefined();
    config = { models: { generative: { cheap: { backend: 'openai', model: 'small-2' } } } };
    expect(prices.price('cheap')).toMatchObject({ input: 5 });
  });
});
