import { access } from 'node:fs/promises';
import { hostname } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Logger } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { HarperContext, HarperHost, HarperModels, HarperPaths, HarperServer } from './host.js';
import { definedFields } from './defined-fields.js';
import { fieldsOf } from './fields-of.js';
import { readWorkers } from './read-workers.js';
import { findRegistry } from './registry/find-registry.js';
import { withMethods } from './with-methods.js';

type LogMethod = (message: string) => void;

const fn = <Fn>(name: string) =>
  z.custom<Fn>((value) => typeof value === 'function', `${name} is not a function`);

const optionsSchema = z.object({
  server: withMethods<HarperServer>('server', ['registerOperation', 'operation', 'getUser']),
  ensureTable: fn<HarperHost['ensureTable']>('ensureTable'),
  port: z.coerce.number().int().min(1).max(65_535).optional().catch(undefined),
});

// `startOnMainThread` is handed neither of these; Harper publishes them as globals of each thread.
const globalsSchema = z.object({
  models: withMethods<HarperModels>('models', ['generate']),
  transaction: fn<(context: object, work: () => Promise<unknown>) => Promise<unknown>>('transaction'),
});

// A port may carry the address it is bound to: `127.0.0.1:9925`.
const portSchema = z
  .union([z.number(), z.string()])
  .transform((value) => Number(/\d+$/.exec(String(value))?.[0]))
  .optional()
  .catch(undefined);
const configSchema = z.object({
  rootPath: z.string().min(1),
  componentsRoot: z.string().min(1).optional(),
  logging: z.object({ root: z.string().min(1).optional() }).optional(),
  node: z.object({ hostname: z.string().min(1).optional() }).optional(),
  operationsApi: z
    .object({ network: z.object({ port: portSchema, securePort: portSchema }).optional() })
    .optional()
    .catch(undefined),
  authentication: z.object({ authorizeLocal: z.boolean().optional() }).optional().catch(undefined),
  replication: z
    .object({ hostname: z.string().min(1).optional() })
    .optional()
    .catch(undefined),
});

/**
 * Reads the slice of Harper the agent needs from what `startOnMainThread` was given and from Harper's globals.
 * Rejects, naming what is missing, where this is no Harper that can run the agent.
 */
export async function readHost(options: unknown): Promise<HarperHost> {
  const { server, ensureTable, port } = parse(optionsSchema, options, 'startOnMainThread was called without');
  const { models, transaction } = parse(globalsSchema, globalThis, 'This Harper has no global');
  const config = (): unknown => fieldsOf(server, ['config'])['config'];
  const known = parse(configSchema, config(), 'server.config lacks');
  const { hostname: announced } = fieldsOf(server, ['hostname']);
  const log = readLogger();
  return {
    server,
    ensureTable: (definition) => ensureTable(definition),
    models,
    ...definedFields({ registry: await findRegistry(log.logger) }),
    ...log,
    // A context of its own: neither the signal nor the open transaction of whoever asked.
    async transaction<Result>(work: (context: HarperContext) => Promise<Result>): Promise<Result> {
      const context: HarperContext = {};
      let result: { readonly value: Result } | undefined;
      await transaction(context, async () => {
        result = { value: await work(context) };
      });
      if (result === undefined) throw new Error('Harper ended a transaction without running it');
      return result.value;
    },
    config,
    workers: () => readWorkers(config()),
    paths: await readPaths(known),
    node:
      typeof announced === 'string'
        ? announced
        : (known.node?.hostname ?? known.replication?.hostname ?? hostname()),
    appPort: port,
    operationsPorts: [known.operationsApi?.network?.port, known.operationsApi?.network?.securePort].flatMap(
      (found) => (found !== undefined && found >= 1 && found <= 65_535 ? [found] : []),
    ),
    peers: () => readPeers(fieldsOf(server, ['nodes'])['nodes']),
    // Harper's documented default is true.
    localIsSuperUser: known.authentication?.authorizeLocal !== false,
  };
}

/** Harper's `server` as `startOnMainThread` is given it; `undefined` where it is none that takes operations. */
export function readServer(options: object): HarperServer | undefined {
  return optionsSchema.shape.server.safeParse(fieldsOf(options, ['server'])['server']).data;
}

/** Harper's logger, tagged where it can be. Without one, what the agent says goes to the console. */
export function readLogger(): {
  readonly logger: Logger;
  readonly announce: (message: string) => void;
} {
  const { logger: global } = fieldsOf(globalThis, ['logger']);
  const { withTag } = fieldsOf(global, ['withTag']);
  const target: unknown = typeof withTag === 'function' ? Reflect.apply(withTag, global, ['agent']) : global;
  const method =
    (name: string): LogMethod =>
    (message) => {
      const log = fieldsOf(target, [name])[name];
      if (typeof log === 'function') Reflect.apply(log, target, [message]);
      else if (target === undefined) console.error(message);
    };
  const info = method('info');
  return {
    logger: { debug: method('debug'), info, warn: method('warn'), error: method('error') },
    // Harper's default level hides info; notify is shown at every level.
    announce: typeof fieldsOf(target, ['notify'])['notify'] === 'function' ? method('notify') : info,
  };
}

/** The hosts of the other servers, from what `server.nodes` holds: objects with a name, a host name or a URL. */
function readPeers(nodes: unknown): readonly string[] {
  if (!Array.isArray(nodes)) return [];
  return nodes.flatMap((node: unknown) => {
    const { name, hostname: host, url } = fieldsOf(node, ['name', 'hostname', 'url']);
    const fromUrl = typeof url === 'string' && URL.canParse(url) ? new URL(url).hostname : undefined;
    return [name, host, fromUrl].flatMap((found) =>
      typeof found === 'string' && found !== '' ? [found] : [],
    );
  });
}

async function readPaths(config: z.infer<typeof configSchema>): Promise<HarperPaths> {
  const root = resolve(config.rootPath);
  const under = (path: string): string => (isAbsolute(path) ? path : join(root, path));
  const newName = join(root, 'harper-config.yaml');
  const isThere = await access(newName).then(
    () => true,
    () => false,
  );
  return {
    root,
    components: under(config.componentsRoot ?? 'components'),
    logs: under(config.logging?.root ?? 'log'),
    config: isThere ? newName : join(root, 'harperdb-config.yaml'),
  };
}

function parse<Shape extends z.ZodRawShape>(schema: z.ZodObject<Shape>, value: unknown, problem: string) {
  const parsed = schema.safeParse(fieldsOf(value, Object.keys(schema.shape)));
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => `${issue.path.join('.')} (${issue.message})`);
  throw new Error(`${problem} what the agent needs: ${details.join('; ')}`);
}
