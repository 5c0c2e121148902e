import { ACCESS } from './access.js';
import { ADMINISTRATION } from './administration.js';
import { CLUSTER } from './cluster.js';
import { COMPONENTS } from './components.js';
import { DENIED } from './denied.js';
import { MONITORING } from './monitoring.js';
import type { DeniedOperation, OperationSpec } from './operation-spec.js';
import { RECORDS } from './records.js';
import { STRUCTURE } from './structure.js';

/** The documented operations that can be tools. */
export const CATALOG: readonly OperationSpec[] = [
  ...STRUCTURE,
  ...RECORDS,
  ...MONITORING,
  ...COMPONENTS,
  ...ADMINISTRATION,
  ...CLUSTER,
  ...ACCESS,
];

/** The operations that are useful most often, the most useful first: what to offer where not all can be. */
export const COMMON_OPERATIONS: readonly string[] = [
  'describe_all',
  'describe_table',
  'search_by_conditions',
  'search_by_value',
  'search_by_id',
  'insert',
  'update',
  'upsert',
  'delete',
  'create_table',
  'create_database',
  'restart_service',
  'read_log',
  'get_components',
  'system_information',
  'get_configuration',
  'sql',
  'describe_database',
  'list_roles',
  'get_job',
  'get_status',
  'get_analytics',
  'cluster_status',
  'drop_table',
  'add_role',
  'alter_role',
  'add_user',
  'set_configuration',
  'restart',
];

const specs = byEachName(CATALOG);
const denied = byEachName(DENIED);

/** All names of a documented operation, the tool's first. */
export function namesOf({
  name,
  aliases = [],
}: Pick<OperationSpec, 'name' | 'aliases'>): readonly [string, ...string[]] {
  return [name, ...aliases];
}

/** The documented operation that goes by this name, as its own or as an alias. */
export function specNamed(name: string): OperationSpec | undefined {
  return specs.get(folded(name));
}

/**
 * Why an operation is no tool, whatever anyone configured; `undefined` where it may be one. The agent's own operations
 * have its name in theirs: so has any other that is registered for it.
 */
export function deniedReason(name: string): string | undefined {
  const found = denied.get(folded(name));
  if (found !== undefined) return found.denied;
  return /(^|[^a-z])agent([^a-z]|$)/.test(wordsOf(name))
    ? 'it drives the agent, which only people may do'
    : undefined;
}

function byEachName<Entry extends OperationSpec | DeniedOperation>(
  entries: readonly Entry[],
): ReadonlyMap<string, Entry> {
  return new Map(entries.flatMap((entry) => namesOf(entry).map((name) => [folded(name), entry] as const)));
}

/** Without case and punctuation: a name that only looks different is the same. */
function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function wordsOf(name: string): string {
  return name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
