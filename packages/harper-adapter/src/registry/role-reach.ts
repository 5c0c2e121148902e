import { fieldsOf } from '../fields-of.js';
import { namesOf } from './catalog/catalog.js';
import type { OperationSpec } from './catalog/operation-spec.js';

/** What a role reaches, good enough for a list: Harper decides at the call. */
export interface RoleReach {
  /** By the rules Harper lists operations by: the role's own list bounds even a super_user. */
  reaches(spec: OperationSpec): boolean;
  /** As a role that is only given rights to tables, which those rules pass over. */
  reachesByTables(spec: OperationSpec): boolean;
}

const ON_DATABASES = ['create_database', 'drop_database'];
const ON_TABLES = ['create_table', 'drop_table', 'create_attribute', 'drop_attribute'];
const FLAGS = ['super_user', 'operations', 'structure_user', 'cluster_user'];

/** Reads the role of a user as Harper hands it out. */
export function roleReach(user: object): RoleReach {
  const { permission } = fieldsOf(fieldsOf(user, ['role'])['role'], ['permission']);
  const { super_user: superUser, operations, structure_user: structure } = fieldsOf(permission, FLAGS);
  const hasTables =
    typeof permission === 'object' && Object.keys(Object(permission)).some((key) => !FLAGS.includes(key));
  const isBounded = Array.isArray(operations);

  function reachesByTables({ needs }: OperationSpec): boolean {
    if (isBounded || superUser === true) return false;
    return needs === 'role' || (needs === 'table' && hasTables);
  }
  function reaches(spec: OperationSpec): boolean {
    if (isBounded) return isNamed(operations, spec);
    if (superUser === true || reachesByTables(spec)) return true;
    if (structure === true) return [...ON_DATABASES, ...ON_TABLES].includes(spec.name);
    return Array.isArray(structure) && ON_TABLES.includes(spec.name);
  }
  return { reaches, reachesByTables };
}

/** Named by one of its names, or by the group it is in, of which Harper has the exact lists. */
function isNamed(operations: readonly unknown[], spec: OperationSpec): boolean {
  const reads = spec.effect === 'read';
  return (
    namesOf(spec).some((name) => operations.includes(name)) ||
    (reads && operations.includes('read_only')) ||
    ((reads || spec.needs === 'table') && operations.includes('standard_user'))
  );
}
