import { requireAcceptance, startHarperDb } from '@harperfast/agent-host-harperdb4';
import type { StartHost } from './start-agent-host.js';

/** Where the agent runs, and what that offers. */
export interface HostChoice {
  /** Absent: the stand-in for a Harper server. */
  readonly start?: StartHost;
  /** The host speaks MCP. */
  readonly mcp: boolean;
}

/** The host of `--host`. Throws on a name that is none, and where the licence of HarperDB was not accepted. */
export function chooseHost(name: string): HostChoice {
  if (name === 'embedded') return { mcp: true };
  if (name !== 'harperdb') throw new Error(`There is no host '${name}'; the hosts are embedded, harperdb`);
  requireAcceptance();
  return { mcp: false, start: (options) => startHarperDb(options, (line) => console.error(line)) };
}
