import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { startHost } from '@harperfast/agent-testkit/host';
import type { ModelChoice } from './choose-model.js';

/**
 * Starts the stand-in for a Harper server with the agent as its built-in component `agent`, as a Harper with
 * HARPER_BUILTIN_COMPONENTS would. Without `root` its files are temporary. Rejects where the packages are not built,
 * and, with what the log says, where the agent does not come up.
 */
export async function startEmbedded(model: ModelChoice, root?: string): Promise<EmbeddedHost> {
  const host = await startHost({
    ...(root === undefined ? {} : { root }),
    builtins: { agent: built(join(packageFolder('@harperfast/agent-harper-adapter'), 'dist', 'index.js')) },
    config: {
      models: { generative: { default: { backend: modelModule(model), ...model.config } } },
      agent: { enabled: true, prices: { default: model.price } },
    },
  });
  try {
    const { status } = await host.operation({ operation: 'list_agent_sessions', limit: 1 });
    if (status !== 200) throw new Error(`The agent did not start:\n${await complaints(host.logPath)}`);
    return host;
  } catch (error) {
    await host.stop();
    throw error;
  }
}

function modelModule({ module }: ModelChoice): string {
  return built(fileURLToPath(new URL(`../dist/${module}`, import.meta.url)));
}

/** Not the package's entry: under a test runner that is its source, which the host could not load. */
function packageFolder(name: string): string {
  return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
}

function built(file: string): string {
  if (!existsSync(file)) throw new Error(`${file} is missing; run npm run build first`);
  return file;
}

async function complaints(logPath: string): Promise<string> {
  const lines = (await readFile(logPath, 'utf8')).split('\n');
  return (
    lines.filter((line) => /\[(error|fatal)\]/.test(line)).join('\n') || `Nothing in ${logPath} says why`
  );
}
