import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { MessagePort } from 'node:worker_threads';
import { z } from 'zod';

const object = <Shape extends object>() =>
  z.custom<Shape>((value) => typeof value === 'object' && value !== null, 'expected an object');

/** A request as HarperDB hands it to a listener; `user` is set where it signed somebody in. */
export interface HarperDbRequest {
  readonly method: string;
  readonly pathname: string;
  readonly user?: unknown;
  readonly _nodeRequest: IncomingMessage;
}

/** What a listener answers, unless it leaves the request to the next one. `headers` has to be `Headers`. */
export interface HarperDbResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string | Readable;
}

export type HarperDbListener = (
  request: HarperDbRequest,
  next: (request: HarperDbRequest) => unknown,
) => unknown;

/** `server` of HarperDB 4.7, as far as it is used here. */
export interface HarperDbServer {
  readonly config: unknown;
  /** Index of this worker; undefined on the main thread. */
  readonly workerIndex?: number;
  operation(body: object, context: object, authorize: boolean): Promise<unknown>;
  getUser(username: string, password: null, request: null): Promise<unknown>;
  http(listener: HarperDbListener, options: { readonly port: string | number }): unknown;
}

/** The global `threads`: on the main thread the workers, on a worker the ports to all others. */
export interface HarperDbThreads extends Iterable<HarperDbThread> {
  onMessageByType(type: string, listener: (message: unknown, from: object) => void): void;
}

export interface HarperDbThread {
  /** Undefined on the port that leads to the main thread. */
  readonly threadId?: number;
  postMessage(message: unknown, transfer: readonly MessagePort[]): void;
}

const globalsSchema = z.object({
  server: object<HarperDbServer>(),
  threads: z.custom<HarperDbThreads>(
    (value) => Array.isArray(value) && typeof Reflect.get(value, 'onMessageByType') === 'function',
    'expected threads with onMessageByType',
  ),
});

/** What HarperDB publishes in each thread. Throws, naming what is missing, where this is no HarperDB 4.7. */
export function readGlobals(): z.infer<typeof globalsSchema> {
  return globalsSchema.parse({
    server: Reflect.get(globalThis, 'server'),
    threads: Reflect.get(globalThis, 'threads'),
  });
}

const portSchema = z.union([z.string(), z.number()]).nullish().catch(undefined);
const configSchema = z.looseObject({
  rootPath: z.string(),
  http: z.looseObject({ port: portSchema }).optional().catch(undefined),
  operationsApi: z.looseObject({
    network: z.looseObject({
      port: portSchema,
      securePort: portSchema,
      domainSocket: z.string().nullish().catch(undefined),
      cors: z.boolean().optional().catch(undefined),
      corsAccessList: z.array(z.string()).optional().catch(undefined),
    }),
  }),
});

/** `server.config`, with every key the root configuration has. */
export function readConfig(server: HarperDbServer): z.infer<typeof configSchema> {
  return configSchema.parse(server.config);
}
