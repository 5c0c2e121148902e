import { describe, expect, it } from 'vitest';
import { isOperationAllowed } from '../../../src/host/mcp/operation-allowed.js';
import { operationHints } from '../../../src/host/mcp/operation-hints.js';
import { canRoleInvokeOperation } from '../../../src/host/mcp/operation-visibility.js';

const userWith = (permission: Record<string, unknown>) => ({
  username: 'u',
  active: true,
  role: { id: '1', role: 'r', permission },
});

describe('isOperationAllowed', () => {
  it.each([
    ['describe_table', {}, true],
    ['search_by_value', {}, true],
    ['list_secrets', {}, false],
    ['get_configuration', {}, false],
    ['insert', {}, false],
    ['insert', { allow: ['*'] }, true],
    ['list_secrets', { allow: ['list_*'] }, true],
    ['describe_all', { allow: ['list_*'] }, false],
    ['describe_all', { deny: ['*_all'] }, false],
    ['drop_table', { allow: ['*'], deny: ['drop_*'] }, false],
    ['listXusers', { allow: ['list.users'] }, false],
  ])('%s under %o: %s', (name, rules, allowed) => {
    expect(isOperationAllowed(name, rules)).toBe(allowed);
  });
});

describe('canRoleInvokeOperation', () => {
  it.each([
    [{ super_user: true }, 'drop_table', true],
    [{ super_user: true, operations: ['read_only'] }, 'drop_table', false],
    [{ super_user: true, operations: ['read_only'] }, 'search_by_id', true],
    [{ operations: ['describe_schema'] }, 'describe_database', true],
    [{ operations: ['insert'] }, 'update', false],
    [{ structure_user: true }, 'create_schema', true],
    [{ structure_user: true }, 'insert', false],
    [{ structure_user: ['data'] }, 'create_table', true],
    [{ structure_user: ['data'] }, 'create_database', false],
    [{ data: { tables: {} } }, 'search_by_id', false],
  ])('a role with %o and %s: %s', (permission, operation, visible) => {
    expect(canRoleInvokeOperation(userWith(permission), operation)).toBe(visible);
  });

  it('shows nothing to nobody, to a user without role, and to one that is not active', () => {
    expect(canRoleInvokeOperation(undefined, 'describe_all')).toBe(false);
    expect(canRoleInvokeOperation({ username: 'u' }, 'describe_all')).toBe(false);
    const inactive = { ...userWith({ super_user: true }), active: false };
    expect(canRoleInvokeOperation(inactive, 'describe_all')).toBe(false);
  });
});

describe('operationHints', () => {
  it.each([
    ['describe_all', { readOnlyHint: true }],
    ['system_information', { readOnlyHint: true }],
    ['system_information_more', {}],
    ['drop_table', { destructiveHint: true }],
    ['insert', {}],
    ['drop_component', {}],
    ['sql', {}],
  ])('%s has %o', (name, hints) => {
    expect(operationHints(name)).toEqual(hints);
  });
});
