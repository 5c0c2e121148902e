import { aliasesOf, expandOperations } from '../operations/operation-groups.js';
import type { HostUser } from '../users/user.js';

const OF_TABLES = ['create_table', 'drop_table', 'create_attribute', 'drop_attribute'];
const OF_STRUCTURE = ['create_database', 'create_schema', 'drop_database', 'drop_schema', ...OF_TABLES];

/**
 * Whether MCP shows this operation to this user. A role's `operations` bound everyone; then super users see all,
 * structure users what changes the structure, and the others only what their `operations` name. A call is decided
 * by the operation's own rule.
 */
export function canRoleInvokeOperation(user: HostUser | undefined, operation: string): boolean {
  const permission = user?.active === false ? undefined : user?.role?.permission;
  if (permission === undefined) return false;
  if (permission.operations !== undefined) return expandOperations(permission.operations).has(operation);
  if (permission.super_user === true) return true;
  const { structure_user: structure } = permission;
  const names = aliasesOf(operation);
  if (structure === true) return names.some((name) => OF_STRUCTURE.includes(name));
  return Array.isArray(structure) && names.some((name) => OF_TABLES.includes(name));
}
