import { ToolDeniedError } from '@harperfast/agent-core/contracts';
import { deniedReason } from './catalog/catalog.js';
import { namesSystem } from './names-system.js';

/**
 * Whose arguments are looked at. Those of a documented operation hold data of applications beside its own fields, so
 * only these and a nested search are looked at; nothing is known of any other operation, so all of it is; tools of
 * applications build no body for Harper.
 */
export type ArgumentsOf = 'documented operation' | 'any operation' | 'application';

/** Fields by which Harper knows who acts and what was checked already, without case and underscores. */
const HARPERS_OWN = new Set([
  'hdbuser',
  'hdbauthheader',
  'bypassauth',
  'impersonate',
  'tokenoperations',
  'parsedsqlobject',
  'baserequest',
  'baseresponse',
  'fastifyresponse',
]);

/** Whether a field of a body says who acts, or which operation it is. */
export function isHarpersOwn(key: string): boolean {
  return key === '__proto__' || key === 'operation' || HARPERS_OWN.has(bare(key));
}

/**
 * Throws `ToolDeniedError` for arguments that Harper would read as another user, as checks that are off, as another
 * operation or as records of the `system` database, as deep as Harper would look.
 */
export function refuseForeignArguments(args: Readonly<Record<string, unknown>>, of: ArgumentsOf): void {
  const open: { readonly value: unknown; readonly root: boolean }[] = [{ value: args, root: true }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue;
    for (const [key, value] of Object.entries(next.value)) {
      refuseIdentity(key);
      if (of !== 'application') {
        refuseOperation(key, value, next.root);
        refuseSystem(key, value);
      }
      if (of !== 'documented operation' || key === 'search_operation') open.push({ value, root: false });
    }
  }
}

function refuseIdentity(key: string): void {
  if (key !== '__proto__' && !HARPERS_OWN.has(bare(key))) return;
  throw new ToolDeniedError(
    `The argument '${key}' is refused: who acts, and what is checked, is Harper's to say. Leave it out`,
  );
}

function refuseOperation(key: string, value: unknown, root: boolean): void {
  if (key !== 'operation') return;
  if (root)
    throw new ToolDeniedError("The argument 'operation' is refused: each operation is a tool of its own");
  const reason = typeof value === 'string' ? deniedReason(value) : undefined;
  if (reason !== undefined) throw new ToolDeniedError(`${JSON.stringify(value)} is off limits: ${reason}`);
}

function refuseSystem(key: string, value: unknown): void {
  if (!namesSystem(key, value)) return;
  throw new ToolDeniedError(
    "The database 'system' is off limits: it holds password hashes, keys and other sessions. " +
      'describe_all, list_roles, cluster_status and read_log tell what else there is to know',
  );
}

function bare(key: string): string {
  return key.toLowerCase().replaceAll(/[^a-z]/g, '');
}
