import { z } from 'zod';
import type { HostConfig } from '../server/host-config.js';

const write = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['put', 'create', 'patch']),
    key: z.array(z.union([z.string(), z.number()])),
    record: z.record(z.string(), z.unknown()),
  }),
  z.object({ kind: z.literal('remove'), key: z.array(z.union([z.string(), z.number()])) }),
]);

/** What an application worker is started with. */
export const workerDataSchema = z.object({
  root: z.string(),
  index: z.number(),
  // The main thread's own, defaults filled in: workers see no change of the file before the process restarts.
  config: z.custom<HostConfig>((value) => typeof value === 'object'),
  packageRoot: z.string().optional(),
  tokenKey: z.string(),
});
export type WorkerData = z.infer<typeof workerDataSchema>;

/** A message of a component to one on the other side. */
const ofComponents = z.object({ type: z.literal('component'), message: z.unknown() });

/** What a worker tells the main thread. */
export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), port: z.number() }),
  z.object({ type: z.literal('commit'), id: z.number(), writes: z.array(write) }),
  z.object({ type: z.literal('table'), definition: z.unknown() }),
  z.object({ type: z.literal('inspector'), url: z.string().optional() }),
  ofComponents,
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;

const committed = z.object({
  type: z.literal('committed'),
  id: z.number(),
  error: z.object({ message: z.string(), statusCode: z.number() }).optional(),
});

/** What the main thread tells a worker. */
export const toWorkerSchema = z.discriminatedUnion('type', [
  committed,
  z.object({ type: z.literal('table'), definition: z.unknown() }),
  z.object({ type: z.literal('open-inspector'), host: z.string(), port: z.number() }),
  z.object({ type: z.literal('leave'), lingerMs: z.number() }),
  ofComponents,
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;
