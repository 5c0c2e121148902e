import { readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The folder that a server brings along, as it was built. */
export interface AgentFolder {
  /** What Harper imports in every thread. */
  readonly entry: string;
  /** What the entry imports when the agent is on: everything that a start needs. */
  readonly agent: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/** Finds `dist/agent/` of the adapter; throws where it is not built. */
export function agentFolder(): AgentFolder {
  const manifest = createRequire(import.meta.url).resolve('@harperfast/agent-harper-adapter/package.json');
  const folder = join(dirname(manifest), 'dist', 'agent');
  const names = readdirSync(folder);
  return {
    entry: join(folder, 'agent.js'),
    agent: join(folder, 'start-on-main-thread.js'),
    files: names.map((name) => ({ name, bytes: statSync(join(folder, name)).size })),
  };
}
