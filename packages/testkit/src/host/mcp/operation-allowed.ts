const ALLOWED = [
  'describe_*',
  'list_*',
  'search_*',
  'get_job',
  'get_status',
  'get_analytics',
  'get_metrics',
  'system_information',
  'read_log',
  'read_audit_log',
];
const SECRETS = [
  'set_secret',
  'grant_secret',
  'revoke_secret',
  'list_secrets',
  'delete_secret',
  'get_secrets_public_key',
];

/** `mcp.operations` of the configuration, as far as it names operations; `*` stands for any characters. */
export interface AllowRules {
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
}

/**
 * Whether an operation is a tool at all. `allow` replaces the default, which lists reads and leaves out secrets;
 * `deny` takes away.
 */
export function isOperationAllowed(name: string, { allow, deny = [] }: AllowRules): boolean {
  const allowed =
    allow === undefined ? matchesOne(name, ALLOWED) && !SECRETS.includes(name) : matchesOne(name, allow);
  return allowed && !matchesOne(name, deny);
}

// Asked for every operation at every listing.
const compiled = new Map<string, RegExp>();

function matchesOne(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) => {
    const known = compiled.get(pattern) ?? compile(pattern);
    compiled.set(pattern, known);
    return known.test(name);
  });
}

function compile(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
