import type { Pack } from './config.js';
import type { HarperServer } from './host.js';
import type { AgentUser } from './identity.js';
import { resolveAgentUser } from './identity.js';

/** The packs that are on for the agent user; its role may change while the server runs. */
export interface LivePacks {
  /** The user as it was resolved last. */
  readonly user: AgentUser;
  readonly packs: ReadonlySet<Pack>;
  /** Asks Harper for the user again. Rejects when it is gone or inactive: then no pack is on. */
  refresh(): Promise<ReadonlySet<Pack>>;
}

/** Follows the role of the agent user, so that a super_user who is none any more loses what reached past a role. */
export function createLivePacks(
  server: HarperServer,
  user: AgentUser,
  packsFor: (superUser: boolean) => ReadonlySet<Pack>,
): LivePacks {
  let known = user;
  return {
    get user() {
      return known;
    },
    get packs() {
      return packsFor(known.superUser);
    },
    async refresh() {
      known = await resolveAgentUser(server, known.username);
      return packsFor(known.superUser);
    },
  };
}
