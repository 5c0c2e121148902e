import { z } from 'zod';
import { fieldsOf } from './fields-of.js';
import type { HarperWorker } from './host.js';

const thread = z.object({ threadId: z.int(), workerIndex: z.int().min(0) });
const debugPorts = z.object({
  threads: z.object({
    debug: z.object({
      startingPort: z.coerce.number().int().min(1).max(65_535),
      host: z.string().min(1).optional().catch(undefined),
    }),
  }),
});

/**
 * The application workers, from Harper's global `threads`, which it changes in place as workers come and go. Entries
 * that are no application workers have no `workerIndex` and are left out.
 */
export function readWorkers(config: unknown): readonly HarperWorker[] {
  const { threads } = fieldsOf(globalThis, ['threads']);
  const ports = debugPorts.safeParse(config);
  const debug = ports.success ? ports.data.threads.debug : undefined;
  if (!Array.isArray(threads)) return [];
  return threads.flatMap((entry: unknown) => {
    const parsed = thread.safeParse(fieldsOf(entry, ['threadId', 'workerIndex']));
    if (!parsed.success) return [];
    const { threadId, workerIndex: index } = parsed.data;
    if (debug === undefined) return [{ index, threadId }];
    const host = debug.host === undefined ? {} : { host: debug.host };
    return [{ index, threadId, port: debug.startingPort + index, ...host }];
  });
}
