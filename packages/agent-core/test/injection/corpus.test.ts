import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/index.js';
import { INJECTIONS } from './corpus.js';

describe('the corpus of injections', () => {
  it('has at least forty texts, each with a name of its own, from every place a text can come from', () => {
    expect(INJECTIONS.length).toBeGreaterThanOrEqual(40);
    expect(new Set(INJECTIONS.map(({ name }) => name)).size).toBe(INJECTIONS.length);
    expect(new Set(INJECTIONS.map(({ from }) => from)).size).toBe(8);
  });

  it.each(INJECTIONS)('$name: goes through redaction without harm, twice as once', async ({ text }) => {
    const redactor = createRedactor();
    expect(await redactor.redact(text)).toBe(text);
    const once = await redactor.redactOutput(text);
    expect(await redactor.redactOutput(once)).toBe(once);
  });
});
