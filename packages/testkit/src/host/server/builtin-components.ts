import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { messageOf } from '../host-error.js';
import type { HostLogger } from '../log/open-log.js';
import type { HostConfig } from '../server/host-config.js';
import { createScope, type Scope } from './scope.js';

const hook = <Given extends object>() =>
  z.custom<(given: Given) => unknown>((value) => typeof value === 'function');
const moduleSchema = z
  .looseObject({
    startOnMainThread: hook<Readonly<Record<string, unknown>>>().optional(),
    start: hook<Readonly<Record<string, unknown>>>().optional(),
    handleApplication: hook<Scope>().optional(),
  })
  .refine(
    ({ handleApplication, startOnMainThread, start }) =>
      handleApplication === undefined || (startOnMainThread ?? start) === undefined,
    'It exports handleApplication beside startOnMainThread or start: a component has one form or the other',
  );

export interface BuiltinComponentsOptions {
  /** `name=identifier`, separated by commas, as in HARPER_BUILTIN_COMPONENTS. */
  readonly list: string | undefined;
  readonly packageRoot: string | undefined;
  readonly config: HostConfig;
  readonly hook: 'startOnMainThread' | 'start';
  /** What every component is handed; the keys of its own config block are laid over it. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly logger: HostLogger;
}

/**
 * Starts the built-in components that the root config has a truthy key for, in the order of the config. Those of the
 * plugin form (`handleApplication`) start on workers alone. One that fails is logged; the host and the others go on.
 */
export async function startBuiltinComponents(options: BuiltinComponentsOptions): Promise<void> {
  const builtins = parseList(options);
  for (const [name, block] of Object.entries(options.config)) {
    const identifier = builtins.get(name);
    if (identifier === undefined || !block) continue;
    try {
      const loaded = moduleSchema.parse({ ...(await import(moduleUrl(identifier, options.packageRoot))) });
      const config = typeof block === 'object' ? { ...block } : {};
      const start = loaded[options.hook];
      if (start !== undefined) await start({ ...options.given, ...config });
      else if (options.hook === 'start' && loaded.handleApplication !== undefined)
        await loaded.handleApplication(
          createScope({ name, config, given: options.given, logger: options.logger }),
        );
      else continue;
      options.logger.info(`Component ${name} started`);
    } catch (error) {
      options.logger.error(`Component ${name} failed to start: ${messageOf(error)}`, error);
    }
  }
}

function parseList({ list, logger }: BuiltinComponentsOptions): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const entry of (list ?? '').split(',').map((text) => text.trim())) {
    if (entry === '') continue;
    const at = entry.indexOf('=');
    if (at > 0 && at < entry.length - 1) found.set(entry.slice(0, at).trim(), entry.slice(at + 1).trim());
    else logger.warn(`HARPER_BUILTIN_COMPONENTS: '${entry}' is not name=identifier and is skipped`);
  }
  return found;
}

function moduleUrl(identifier: string, packageRoot: string | undefined): string {
  if (identifier.startsWith('@/')) {
    if (packageRoot === undefined) throw new Error(`${identifier} needs PACKAGE_ROOT to be set`);
    return pathToFileURL(join(packageRoot, identifier.slice(2))).href;
  }
  return isAbsolute(identifier) ? pathToFileURL(identifier).href : identifier;
}
