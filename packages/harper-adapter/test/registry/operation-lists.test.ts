import { describe, expect, it } from 'vitest';
import { letsThrough, readMcpLists } from '../../src/registry/operation-lists.js';

describe('letsThrough', () => {
  it('allows everything without a list, what the list names with one, and subtracts what is denied', () => {
    expect(letsThrough({}, ['insert'])).toBe(true);
    expect(letsThrough({ allow: ['search_*'] }, ['insert'])).toBe(false);
    expect(letsThrough({ allow: [] }, ['insert'])).toBe(false);
    expect(letsThrough({ allow: ['*'], deny: ['drop_*'] }, ['drop_table'])).toBe(false);
  });

  it('takes an operation under any of its names', () => {
    const names = ['search_by_id', 'search_by_hash'];
    expect(letsThrough({ allow: ['search_by_hash'] }, names)).toBe(true);
    expect(letsThrough({ deny: ['search_by_hash'] }, names)).toBe(false);
  });
});

describe('readMcpLists', () => {
  const read = (operations: unknown) => readMcpLists({ mcp: { operations } });

  it('reads lists, and texts of an environment variable', () => {
    expect(read({ allow: ['a', 'b*'], deny: 'c, d' })).toEqual({ allow: ['a', 'b*'], deny: ['c', 'd'] });
  });

  it('bounds nothing where nothing is set', () => {
    for (const config of [
      undefined,
      {},
      { mcp: {} },
      { mcp: { operations: {} } },
      { mcp: { operations: { allow: null } } },
    ]) {
      expect(readMcpLists(config)).toEqual({ allow: undefined, deny: undefined });
    }
  });

  it('lets nothing through where a list cannot be read', () => {
    expect(letsThrough(read({ allow: { insert: true } }), ['insert'])).toBe(false);
    expect(letsThrough(read({ deny: [1] }), ['insert'])).toBe(false);
  });
});
