import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';

const moduleSchema = z.looseObject({
  startOnMainThread: z
    .custom<(options: object) => unknown>((value) => typeof value === 'function')
    .optional(),
});

export interface StartBuiltinsOptions {
  /** `name=identifier`, separated by commas, as in HARPER_BUILTIN_COMPONENTS. */
  readonly list: string;
  /** The root configuration: components that it has a block for are started, in its order. */
  readonly config: Readonly<Record<string, unknown>>;
  /** What every component is handed; the keys of its own block are laid over it. */
  readonly given: object;
  readonly complain: (message: string) => void;
}

/** Starts built-in components as Harper 5 does. One that fails is told of; the others go on. */
export async function startBuiltins({ list, config, given, complain }: StartBuiltinsOptions): Promise<void> {
  const builtins = parseList(list);
  for (const [name, block] of Object.entries(config)) {
    const identifier = builtins.get(name);
    if (identifier === undefined || block === undefined || block === null || block === false) continue;
    try {
      const url = isAbsolute(identifier) ? pathToFileURL(identifier).href : identifier;
      const { startOnMainThread } = moduleSchema.parse({ ...(await import(url)) });
      await startOnMainThread?.({ ...given, ...(typeof block === 'object' ? block : {}) });
    } catch (error) {
      complain(
        `Component ${name} failed to start: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}

/** Throws, naming it, where an entry is no `name=identifier`. */
function parseList(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split(',').map((entry): [string, string] => {
      const [, name, identifier] = /^\s*([^=\s]+)\s*=\s*(\S.*?)\s*$/.exec(entry) ?? [];
      if (name === undefined || identifier === undefined) {
        throw new Error(`HARPER_BUILTIN_COMPONENTS: '${entry}' is not name=identifier`);
      }
      return [name, identifier];
    }),
  );
}
