import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTION_MARK } from '../../src/index.js';
import { containsMark, redactArguments } from '../../src/redaction/redact-arguments.js';

const M = REDACTION_MARK;
const redactor = createRedactor({ values: () => ['known-secret', '4711471147'] });

describe('redactArguments', () => {
  it('hands back the same object when nothing is hidden', async () => {
    const given = {
      path: 'a.js',
      content: 'password: hunter2',
      list: [1, null, { deep: true }],
      token: 'abc12345',
    };
    const { value, masked } = await redactArguments(redactor, given);
    expect(value).toBe(given);
    expect(masked).toEqual([]);
  });

  it('masks strings and keys at any depth, names where, and leaves what was given as it was', async () => {
    const given = {
      url: 'http://x/?k=known-secret',
      rows: [{ a: 1 }, { b: ['ok', 'known-secret'] }],
      'x-known-secret': { c: 'known-secret' },
    };
    const before = structuredClone(given);
    const { value, masked } = await redactArguments(redactor, given);
    expect(value).toEqual({
      url: `http://x/?k=${M}`,
      rows: [{ a: 1 }, { b: ['ok', M] }],
      [`x-${M}`]: { c: M },
    });
    expect(masked).toEqual(['url', 'rows.1.b.1', `x-${M}`, `x-${M}.c`]);
    expect(given).toEqual(before);
  });

  it('keeps every member when two keys become the same mark', async () => {
    const { value } = await redactArguments(redactor, { 'known-secret': 1, '4711471147': 2, [M]: 3 });
    expect(new Set(Object.values(value))).toEqual(new Set([1, 2, 3]));
    expect(JSON.stringify(value)).not.toMatch(/known-secret|4711471147/);
  });

  it('looks at many strings as one', async () => {
    let looks = 0;
    const counting = { redact: async (text: string) => ((looks += 1), redactor.redact(text)) };
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row ${id}` }));
    await redactArguments(counting, { rows });
    expect(looks).toBe(1);
    looks = 0;
    const { masked } = await redactArguments(counting, { rows: [...rows, { id: 0, name: 'known-secret' }] });
    expect(masked).toEqual(['rows.5000.name']);
    expect(looks).toBeLessThan(40);
  });
});

describe('containsMark', () => {
  it('finds the mark in strings and keys at any depth', () => {
    expect(containsMark({ a: [{ b: `x${M}` }] })).toBe(true);
    expect(containsMark({ a: { [`${M}`]: 1 } })).toBe(true);
    expect(containsMark({ a: ['redacted', '[redacted]', 1, null] })).toBe(false);
  });

  it('is not stopped by deep nesting', () => {
    const deep = JSON.parse(`{"a":${'['.repeat(50_000)}"${M}"${']'.repeat(50_000)}}`) as { a: never };
    expect(containsMark(deep)).toBe(true);
  });
});
