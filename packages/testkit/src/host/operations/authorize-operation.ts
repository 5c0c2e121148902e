import { HostError } from '../host-error.js';
import { mayAccessTable, type HostUser, type TableAccess } from '../users/user.js';
import { expandOperations } from './operation-groups.js';

/** Who may run an operation. */
export interface OperationRule {
  /**
   * true: super users, and roles whose `operations` name it. false: everyone with a role. Absent: super users,
   * unless `access` says which right to the named table is enough.
   */
  readonly requiresSuperUser?: boolean | undefined;
  readonly access?: TableAccess;
}

/** Throws 401 without a user, 403 when the user's role does not reach. */
export function authorizeOperation(
  operation: OperationRule & { readonly name: string },
  body: Readonly<Record<string, unknown>>,
  user: HostUser | undefined,
): void {
  if (user === undefined) throw new HostError(401, 'Must login');
  const permission = user.role?.permission;
  if (permission === undefined) throw refused(operation.name, user, 'it has no role');
  const named = permission.operations === undefined ? undefined : expandOperations(permission.operations);
  if (named !== undefined && !named.has(operation.name)) {
    throw refused(operation.name, user, "its role's operations do not list it");
  }
  const database = textOf(body['database'] ?? body['schema'] ?? 'data');
  const table = textOf(body['table']);
  // No role reaches past this: system tables are changed by the operations that own them.
  if (database === 'system' && operation.access !== undefined && operation.access !== 'read') {
    throw refused(operation.name, user, 'the system database is changed by its own operations only');
  }
  if (permission.super_user === true || operation.requiresSuperUser === false) return;
  if (operation.access !== undefined) {
    if (database !== 'system' && mayAccessTable(permission, database, table, operation.access)) return;
    throw refused(operation.name, user, `its role has no ${operation.access} right to ${database}.${table}`);
  }
  if (operation.requiresSuperUser === true && named !== undefined) return;
  throw refused(operation.name, user, 'it takes a super_user');
}

// Anything else is refused with 400 when the operation parses its body.
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function refused(operation: string, { username }: HostUser, why: string): HostError {
  return new HostError(403, `User '${username}' may not run '${operation}': ${why}`);
}
