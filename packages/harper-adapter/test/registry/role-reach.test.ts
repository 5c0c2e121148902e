import { describe, expect, it } from 'vitest';
import { specNamed } from '../../src/registry/catalog/catalog.js';
import { roleReach } from '../../src/registry/role-reach.js';
import { user } from '../support/fake-server.js';

const NAMES = [
  'describe_all',
  'search_by_id',
  'insert',
  'create_database',
  'create_table',
  'read_log',
  'restart',
];

function reached(permission: object): readonly string[] {
  const reach = roleReach(user('robot', permission));
  return NAMES.filter((name) => {
    const spec = specNamed(name);
    if (spec === undefined) throw new Error(`There is no ${name}`);
    return reach.reaches(spec);
  });
}

describe('roleReach', () => {
  it('gives a super_user everything', () => {
    expect(reached({ super_user: true })).toEqual(NAMES);
  });

  it("bounds even a super_user by its role's list, aliases and groups included", () => {
    expect(reached({ super_user: true, operations: ['read_log', 'search_by_hash'] })).toEqual([
      'search_by_id',
      'read_log',
    ]);
    expect(reached({ super_user: false, operations: ['create_schema'] })).toEqual(['create_database']);
    expect(reached({ operations: ['read_only'] })).toEqual(['describe_all', 'search_by_id', 'read_log']);
    expect(reached({ operations: ['standard_user'] })).toContain('insert');
    expect(reached({ super_user: true, operations: [] })).toEqual([]);
  });

  it('gives other roles what needs no more than they have', () => {
    expect(reached({ super_user: false })).toEqual(['describe_all']);
    expect(reached({ super_user: false, data: { tables: {} } })).toEqual([
      'describe_all',
      'search_by_id',
      'insert',
    ]);
    expect(reached({ structure_user: true })).toEqual(['describe_all', 'create_database', 'create_table']);
    expect(reached({ structure_user: ['data'] })).toEqual(['describe_all', 'create_table']);
  });

  it('gives a user without a readable role next to nothing', () => {
    const insert = specNamed('insert');
    if (insert === undefined) throw new Error('There is no insert');
    for (const odd of [
      {},
      { role: null },
      { role: { permission: 'all' } },
      { role: { permission: { super_user: 'yes' } } },
    ]) {
      expect(roleReach(odd).reaches(insert)).toBe(false);
    }
  });
});
