import { access, realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Logger } from '@harperfast/agent-core/contracts';
import { fieldsOf } from '../fields-of.js';
import type { HarperRegistry } from '../host.js';
import { withMethods } from '../with-methods.js';

/** Where Harper's package has its MCP modules; the second is harper-pro's. */
const FOLDERS = ['dist/components/mcp', 'dist/core/components/mcp'];

const registrySchema = withMethods<HarperRegistry>('its module', [
  'listProfileTools',
  'addTool',
  'removeTool',
]);

/**
 * Finds the MCP registry of the Harper this process runs: Harper does not export it, so its module is looked for in the
 * package that the process was started from, or that this file lies in. Has Harper fill the list of its operations,
 * which it otherwise does only where `mcp:` is configured. `undefined` where there is none, or none that can be used:
 * then the log says so.
 */
export async function findRegistry(
  logger: Logger,
  startedFrom: readonly (string | undefined)[] = [process.argv[1], fileURLToPath(import.meta.url)],
): Promise<HarperRegistry | undefined> {
  const folder = await findFolder(startedFrom);
  if (folder === undefined) {
    logger.info(
      'This Harper has no MCP registry: the agent has the operations it knows, and no tools of others',
    );
    return undefined;
  }
  try {
    const registry = registrySchema.safeParse(await importFrom(folder, 'toolRegistry.js'));
    if (!registry.success) throw new Error(registry.error.issues.map(({ message }) => message).join('; '));
    await fillOperations(folder);
    return registry.data;
  } catch (error) {
    logger.warn(`Harper's MCP registry in ${folder} cannot be used: ${String(error)}`);
    return undefined;
  }
}

async function findFolder(startedFrom: readonly (string | undefined)[]): Promise<string | undefined> {
  for (const file of startedFrom) {
    if (file === undefined) continue;
    // What npm links into a folder of commands lies elsewhere.
    const real = await realpath(file).catch(() => file);
    for (let at = dirname(real); ; at = dirname(at)) {
      if (await exists(join(at, 'package.json'))) {
        for (const folder of FOLDERS) {
          if (await exists(join(at, folder, 'toolRegistry.js'))) return join(at, folder);
        }
      }
      if (at === dirname(at)) break;
    }
  }
  return undefined;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

function importFrom(folder: string, file: string): Promise<unknown> {
  return import(pathToFileURL(join(folder, file)).href);
}

async function fillOperations(folder: string): Promise<void> {
  if (!(await exists(join(folder, 'tools', 'operations.js')))) return;
  const module = await importFrom(folder, join('tools', 'operations.js'));
  const { registerOperationsTools } = fieldsOf(module, ['registerOperationsTools']);
  if (typeof registerOperationsTools === 'function')
    await Reflect.apply(registerOperationsTools, undefined, []);
}
