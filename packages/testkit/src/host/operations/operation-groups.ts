const READ_ONLY = [
  'describe_all',
  'describe_database',
  'describe_schema',
  'describe_table',
  'search_by_id',
  'search_by_hash',
  'search_by_value',
  'search_by_conditions',
  'user_info',
  'cluster_status',
  'read_log',
  'system_information',
  'get_components',
] as const;

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  read_only: READ_ONLY,
  standard_user: [...READ_ONLY, 'insert', 'update', 'upsert', 'delete'],
};

const SAME: readonly (readonly string[])[] = [
  ['create_database', 'create_schema'],
  ['drop_database', 'drop_schema'],
  ['describe_database', 'describe_schema'],
  ['search_by_id', 'search_by_hash'],
];

/** All names an operation goes by. */
export function aliasesOf(name: string): readonly string[] {
  return SAME.find((names) => names.includes(name)) ?? [name];
}

/** A role's `operations`, its group names and aliases replaced by the operations they stand for. */
export function expandOperations(operations: readonly string[]): ReadonlySet<string> {
  return new Set(operations.flatMap((name) => GROUPS[name] ?? [name]).flatMap(aliasesOf));
}

/** Whether a role's `operations` may name this, given the operations there are. */
export function isGrantable(name: string, known: ReadonlySet<string>): boolean {
  return Object.hasOwn(GROUPS, name) || known.has(name);
}
