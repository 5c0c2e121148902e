import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The built agent, as a host finds it. */
export interface AgentBuild {
  /** What stands after `agent=` in HARPER_BUILTIN_COMPONENTS. */
  readonly identifier: string;
  /** The file that this is. */
  readonly module: string;
  /** The folder that `@/` stands for. */
  readonly packageRoot?: string;
}

/** The npm package, with its dependencies beside it. Throws before the first build. */
export function packageBuild(): AgentBuild {
  const module = builtFile('index.js');
  return { identifier: module, module };
}

/**
 * The folder `dist/agent/` of the package, copied to where no `node_modules` is in reach, as `dist/agent/` of a server.
 * Throws before the first build, and where the copy could be helped by something above it. `remove` removes it.
 */
export async function copyFolderBuild(): Promise<AgentBuild & { remove(): Promise<void> }> {
  const from = dirname(builtFile('agent/agent.js'));
  const packageRoot = await mkdtemp(join(tmpdir(), 'agent-folder-'));
  for (let folder = packageRoot; folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'node_modules')))
      throw new Error(`${folder} has node_modules, so a copy below it is not alone`);
  }
  await cp(from, join(packageRoot, 'dist', 'agent'), { recursive: true });
  return {
    identifier: '@/dist/agent/agent.js',
    module: join(packageRoot, 'dist', 'agent', 'agent.js'),
    packageRoot,
    remove: () => rm(packageRoot, { recursive: true, force: true }),
  };
}

/** Looked for from the package, since tests run from sources. */
function builtFile(name: string): string {
  const manifest = createRequire(import.meta.url).resolve('@harperfast/agent-harper-adapter/package.json');
  const file = join(dirname(manifest), 'dist', name);
  if (!existsSync(file)) throw new Error(`${file} is missing; run npm run build first`);
  return file;
}
