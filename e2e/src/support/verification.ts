import type { AgentBuild } from './agent-build.js';
import { Ledger } from './ledger.js';

/** What the items of one verification share: the build that is looked at, and what its sessions came to. */
export interface Verification {
  readonly build: AgentBuild;
  readonly ledger: Ledger;
}

/** A verification of this build, with nothing in its ledger. */
export function createVerification(build: AgentBuild): Verification {
  return { build, ledger: new Ledger() };
}
