import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { EmbeddedHost, HostOptions } from '@harperfast/agent-testkit/host';
import { startHarperDb } from '@harperfast/agent-host-harperdb4';
import { startHost } from '@harperfast/agent-testkit/host';
import type { ModelChoice } from './choose-model.js';
import { keptSettings } from './kept-settings.js';
import type { HostName } from './parse-arguments.js';

/** Which host to start, and where. */
export interface StartOptions {
  readonly host: HostName;
  /** Without it its files are temporary. */
  readonly root?: string;
  /** Hears what takes a while. */
  readonly say: (line: string) => void;
}

/**
 * Starts the host with the agent as its built-in component `agent`, as a Harper with HARPER_BUILTIN_COMPONENTS would.
 * Rejects where the packages are not built, with what the log says where the agent does not come up, and with
 * `LicenceNotAccepted` where HarperDB's licence was not accepted.
 */
export async function startEmbedded(
  model: ModelChoice,
  { host: name, root, say }: StartOptions,
): Promise<EmbeddedHost> {
  const start = (options: HostOptions) =>
    name === 'harperdb' ? startHarperDb(options, say) : startHost(options);
  const kept = root === undefined ? {} : await keptSettings(root);
  const host = await start({
    ...(root === undefined ? {} : { root }),
    builtins: { agent: built(join(packageFolder('@harperfast/agent-harper-adapter'), 'dist', 'index.js')) },
    config: {
      models: { generative: { default: { backend: modelModule(model), ...model.config } } },
      agent: { ...kept, enabled: true, prices: { ...Object(kept['prices']), default: model.price } },
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
