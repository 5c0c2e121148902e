import { describe, expect, it } from 'vitest';
import { createPriceBook } from '../../src/prices/create-price-book.js';
import { loadListPrices } from '../../src/prices/load-list-prices.js';

const hostConfig = {
  models: {
    generative: {
      default: { backend: 'anthropic', model: 'claude-sonnet-4-6', fallback: ['cheap', 'local'] },
      cheap: { backend: 'openai', model: 'gpt-5-mini' },
      odd: { backend: 'openai', model: 'my-own-tune', fallback: ['cheap'] },
      group: { backend: 'openai', model: 'gpt-5-mini', fallback: ['odd'] },
      lost: { backend: 'openai', model: 'gpt-5-mini', fallback: ['no-such-name'] },
      loop: { backend: 'openai', model: 'gpt-5-mini', fallback: ['loop', 'cheap'] },
      local: { backend: 'ollama', model: 'anything' },
      scripted: { backend: './scripted.mjs', model: 'gpt-5' },
      packaged: { backend: '@someone/models', model: 'gpt-5' },
      broken: { backend: 7, model: ['gpt-5'], fallback: 'cheap' },
    },
  },
};

const list = await loadListPrices();
const book = (own: Parameters<typeof createPriceBook>[0]['own'] = {}, config: unknown = hostConfig) =>
  createPriceBook({ own, list, hostConfig: () => config });

describe('createPriceBook', () => {
  it('prices a logical name by the model behind it', () => {
    expect(book().price('cheap')).toEqual({ input: 0.25, output: 2, cachedInput: 0.025 });
  });

  it('prices a group as its dearest member, figure by figure', () => {
    expect(book().price('default')).toEqual({
      input: 3,
      output: 15,
      cachedInput: 0.3,
      cacheWriteInput: 3.75,
    });
    expect(book().price(undefined)).toEqual(book().price('default'));
    const own = { cheap: { input: 4, output: 1 } };
    expect(book(own).price('default')).toEqual({ input: 4, output: 15, cachedInput: 4, cacheWriteInput: 4 });
    expect(book().price('loop')).toMatchObject(book().price('cheap') ?? {});
  });

  it('puts the price of the operator first: by logical name, then by the name of the model', () => {
    const own = { cheap: { input: 7, output: 7 }, 'gpt-5-mini': { input: 1, output: 2, cachedInput: 0.5 } };
    expect(book(own).price('cheap')).toEqual({ input: 7, output: 7 });
    expect(book({ 'gpt-5-mini': own['gpt-5-mini'] }).price('cheap')).toEqual({
      input: 1,
      output: 2,
      cachedInput: 0.5,
    });
    expect(book({ scripted: { input: 1, output: 1 } }).price('scripted')).toEqual({ input: 1, output: 1 });
    expect(book({ elsewhere: { input: 1, output: 1 } }).price('elsewhere')).toEqual({ input: 1, output: 1 });
  });

  it('does not know a group with a member it does not know', () => {
    for (const name of ['odd', 'group', 'lost']) expect(book().price(name)).toBeUndefined();
    expect(book({ 'my-own-tune': { input: 1, output: 1 } }).price('odd')).toMatchObject({
      input: 1,
      output: 2,
    });
  });

  it('knows that ollama is free, and nothing of a module, a muddle or an unknown name', () => {
    expect(book().price('local')).toEqual({ input: 0, output: 0 });
    for (const name of ['scripted', 'packaged', 'broken', 'no-such-model', '__proto__', 'constructor']) {
      expect(book().price(name)).toBeUndefined();
    }
    for (const config of [null, {}, { models: 5 }, { models: { generative: null } }]) {
      expect(book({}, config).price(undefined)).toBeUndefined();
    }
  });

  it('follows the host when its models change', () => {
    let config: unknown = hostConfig;
    const prices = createPriceBook({ own: {}, list, hostConfig: () => config });
    expect(prices.price('cheap')).toMatchObject({ input: 0.25 });
    config = { models: { generative: { cheap: { backend: 'openai', model: 'gpt-5.2' } } } };
    expect(prices.price('cheap')).toMatchObject({ input: 1.75 });
  });
});
