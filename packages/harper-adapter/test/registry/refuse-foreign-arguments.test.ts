import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { describe, expect, it } from 'vitest';
import type { ArgumentsOf } from '../../src/registry/refuse-foreign-arguments.js';
import { refuseForeignArguments } from '../../src/registry/refuse-foreign-arguments.js';

const KINDS: readonly ArgumentsOf[] = ['documented operation', 'any operation', 'application'];
const principal = { role: { permission: { super_user: true } } };
const refusal = (args: Record<string, unknown>, of: ArgumentsOf) => () => refuseForeignArguments(args, of);

describe('refuseForeignArguments', () => {
  it.each(KINDS)('lets no argument say who acts or what was checked: %s', (of) => {
    for (const key of [
      'hdb_user',
      'hdbUser',
      'HDB_USER',
      'hdb-user',
      'hdbAuthHeader',
      'bypass_auth',
      'bypassAuth',
      'impersonate',
      'tokenOperations',
      'parsed_sql_object',
    ]) {
      expect(refusal({ [key]: principal }, of), `${key}`).toThrow(ToolDeniedError);
      expect(refusal({ search_operation: { [key]: principal } }, of), `${key}`).toThrow(key);
    }
    const args: Record<string, unknown> = JSON.parse('{"__proto__":{"bypass_auth":true}}');
    expect(refusal(args, of)).toThrow('__proto__');
  });

  it('lets operations name no other operation, and no denied one inside', () => {
    for (const of of ['documented operation', 'any operation'] as const) {
      expect(refusal({ operation: 'describe_all' }, of)).toThrow("'operation'");
      expect(refusal({ search_operation: { operation: 'list_users' } }, of)).toThrow('password hashes');
      expect(refusal({ search_operation: { operation: 'approve_agent_action' } }, of)).toThrow('agent');
      expect(refusal({ search_operation: { operation: 'search_by_id' } }, of)).not.toThrow();
    }
    expect(refusal({ operation: 'sum', id: 1 }, 'application')).not.toThrow();
  });

  it.each([
    { database: 'system' },
    { database: ' System ' },
    { schema: 'SYSTEM' },
    { database: 'system.hdb_user' },
    { database: ['data', 'system'] },
    { databases: ['system'] },
    { table: 'system.hdb_user' },
    { sql: 'select * from system.hdb_user' },
    { sql: 'select * from [System].`hdb_user`' },
    { sql: 'select * from ſystem.hdb_user' },
    { search_operation: { operation: 'search_by_value', database: 'system', table: 'hdb_user' } },
    { search_operation: { operation: 'sql', sql: 'select * from "system".hdb_user' } },
  ])('keeps its hands off the system database: %j', (args) => {
    expect(refusal(args, 'documented operation')).toThrow('off limits');
    expect(refusal(args, 'any operation')).toThrow('off limits');
  });

  it('looks as deep as it has to and leaves the data of applications alone', () => {
    const records = [{ id: 1, database: 'system', operation: 'login', impersonate: true }];
    expect(refusal({ table: 'log', records }, 'documented operation')).not.toThrow();
    expect(
      refusal({ database: 'ecosystem', sql: 'select * from data.systems' }, 'documented operation'),
    ).not.toThrow();
    expect(refusal({ job: { steps: [{ target: { schema: 'system' } }] } }, 'any operation')).toThrow(
      'off limits',
    );
    expect(refusal({ job: [{ hdb_user: principal }] }, 'any operation')).toThrow('hdb_user');
  });

  it('is done with arguments that are nested deeply', () => {
    let deep: Record<string, unknown> = { hdb_user: principal };
    for (let level = 0; level < 50_000; level++) deep = { deep };
    expect(refusal(deep, 'any operation')).toThrow('hdb_user');
  });
});
