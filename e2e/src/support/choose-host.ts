import { installHarperDb, startHarperDb } from '@harperfast/agent-host-harperdb4';
import type { StartHost } from './start-agent-host.js';

/** Where the agent runs, and what that offers. */
export interface HostChoice {
  /** Absent: the stand-in for a Harper server. */
  readonly start?: StartHost;
  /** The host speaks MCP. */
  readonly mcp: boolean;
}

/**
 * The host of `--host`, installed where it has to be. Rejects a name that is none, and where the licence of HarperDB was
 * not accepted or npm could not install it.
 */
export async function chooseHost(name: string): Promise<HostChoice> {
  if (name === 'embedded') return { mcp: true };
  if (name !== 'harperdb') throw new Error(`There is no host '${name}'; the hosts are embedded, harperdb`);
  await installHarperDb((line) => console.error(line));
  return { mcp: false, start: startHarperDb };
}
