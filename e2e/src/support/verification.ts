import type { AgentBuild } from './agent-build.js';
import { Ledger } from './ledger.js';
import type { HostChoice } from './choose-host.js';

/** What the items of one verification share: the build that is looked at, where it runs, and what its sessions came to. */
export interface Verification extends HostChoice {
  readonly build: AgentBuild;
  readonly ledger: Ledger;
}

/** A verification of this build, with nothing in its ledger. */
export function createVerification(build: AgentBuild, host: HostChoice = { mcp: true }): Verification {
  return { build, ...host, ledger: new Ledger() };
}
