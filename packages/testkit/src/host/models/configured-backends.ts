import { isAbsolute, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { messageOf } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';
import type { BackendKind } from './model-types.js';
import type { Models } from './models.js';

const entrySchema = z.looseObject({ backend: z.string().min(1), fallback: z.array(z.string()).default([]) });
const KINDS = ['generative', 'embedding', 'decision'] as const satisfies readonly BackendKind[];
const blockSchema = z.partialRecord(z.enum(KINDS), z.record(z.string(), z.unknown()));

type Register = (entry: { logicalName: string; kind: BackendKind; config: unknown }) => unknown;
const moduleSchema = z.looseObject({
  default: z.custom<Register>((value) => typeof value === 'function').optional(),
  register: z.custom<Register>((value) => typeof value === 'function').optional(),
});

export interface ConfiguredBackendsOptions {
  readonly models: Models;
  readonly block: unknown;
  readonly root: string;
  readonly logger: HostLogger;
}

/**
 * Loads the modules that the config block `models:` names and lets each register its backend. An entry that fails
 * is logged and left out. The stand-in brings no providers of its own: every `backend` is a module.
 */
export async function registerConfiguredBackends({
  models,
  block,
  root,
  logger,
}: ConfiguredBackendsOptions): Promise<void> {
  const configured = blockSchema.parse(block ?? {});
  for (const kind of KINDS) {
    for (const [logicalName, raw] of Object.entries(configured[kind] ?? {})) {
      try {
        const config = entrySchema.parse(expandVariables(raw));
        models.setFallback(kind, logicalName, config.fallback);
        const loaded = moduleSchema.parse({ ...(await import(moduleUrl(config.backend, root))) });
        const register = loaded.default ?? loaded.register;
        if (register === undefined) throw new Error(`${config.backend} exports neither default nor register`);
        await register({ logicalName, kind, config });
      } catch (error) {
        logger.error(`The model models.${kind}.${logicalName} is not available: ${messageOf(error)}`);
      }
    }
  }
}

function moduleUrl(backend: string, root: string): string {
  if (isAbsolute(backend) || backend.startsWith('.')) return pathToFileURL(resolve(root, backend)).href;
  return backend;
}

/** `${NAME}` in any text is replaced from the environment; one that is not set is an error. */
function expandVariables(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(expandVariables);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, expandVariables(item)]));
  }
  if (typeof value !== 'string') return value;
  return value.replaceAll(/\$\{(\w+)\}/g, (_whole, name: string) => {
    const found = process.env[name];
    if (found === undefined) throw new Error(`the environment has no ${name}`);
    return found;
  });
}
