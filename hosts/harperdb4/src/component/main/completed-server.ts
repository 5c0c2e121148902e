import type { HarperDbServer } from '../harperdb.js';
import type { OperationRegistry } from './operation-registry.js';
import { z } from 'zod';
import { fieldOf } from '../field-of.js';
import { requireNamedDatabase } from './require-named-database.js';
import { untilJobEnds } from './until-job-ends.js';

const bodySchema = z.looseObject({ operation: z.string() });
const ROLE_OPERATIONS: ReadonlySet<string> = new Set(['add_role', 'alter_role']);
type Body = z.infer<typeof bodySchema>;

/**
 * HarperDB's `server` with what Harper 5 has besides: `registerOperation`, and in `operation` what was registered.
 * `restart_service` resolves when the workers are replaced, as there, and not when a job for it was made; roles are added
 * and altered in process; and SQL whose rights HarperDB would not look at is refused.
 */
export function completedServer(server: HarperDbServer, operations: OperationRegistry): object {
  const own = (body: Body, context: object, authorize: boolean): Promise<unknown> =>
    server.operation(copyOf(body), context, authorize);

  async function operation(given: unknown, context: object = {}, authorize = false): Promise<unknown> {
    const body = bodySchema.parse(given);
    if (operations.has(body.operation)) return operations.run(body, fieldOf(context, 'user'), authorize);
    if (authorize && body.operation === 'sql') requireNamedDatabase(body['sql']);
    const result = await own(body, context, authorize);
    const job = fieldOf(result, 'job_id');
    if (body.operation !== 'restart_service' || typeof job !== 'string') return result;
    await untilJobEnds(job, (request) => own(request, {}, false));
    return { message: fieldOf(result, 'message') };
  }

  const added = {
    registerOperation: (definition: unknown) => operations.register(definition),
    operation,
    getUser: (...given: Parameters<HarperDbServer['getUser']>) => server.getUser(...given),
  };
  // The rest is read from the server as it is at that moment: its configuration, its peers.
  const completed: object = Object.create(server, Object.getOwnPropertyDescriptors(added));
  return completed;
}

/**
 * A copy, because HarperDB writes into a body: also whether it checks rights, which it then refuses as a key of a role.
 * Where that is no key to be counted, it goes on to check the rights, and adds or alters the role.
 */
function copyOf(body: Body): object {
  const copy = { ...body };
  return ROLE_OPERATIONS.has(body.operation)
    ? Object.defineProperty(copy, 'bypass_auth', { value: undefined, writable: true, enumerable: false })
    : copy;
}
