import type { HarperDbServer } from '../harperdb.js';
import type { OperationRegistry } from './operation-registry.js';
import { z } from 'zod';
import { fieldOf } from '../field-of.js';
import { untilJobEnds } from './until-job-ends.js';

const bodySchema = z.looseObject({ operation: z.string() });

/**
 * HarperDB's `server` with what Harper 5 has besides: `registerOperation`, and in `operation` what was registered.
 * `restart_service` resolves when the workers are replaced, as there, and not when a job for it was made.
 */
export function completedServer(server: HarperDbServer, operations: OperationRegistry): object {
  const own = (body: object, context: object, authorize: boolean): Promise<unknown> =>
    // A copy: HarperDB writes into it.
    server.operation({ ...body }, context, authorize);

  async function operation(given: unknown, context: object = {}, authorize = false): Promise<unknown> {
    const body = bodySchema.parse(given);
    if (operations.has(body.operation)) return operations.run(body, fieldOf(context, 'user'), authorize);
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
