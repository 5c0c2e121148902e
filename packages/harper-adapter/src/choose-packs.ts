import type { AgentConfig, Pack } from './config.js';

/** Packs whose tools a role of Harper does not limit. */
const REACH_PAST_A_ROLE: readonly Pack[] = ['file-writes', 'logs', 'config'];

/** What decides about packs besides the configuration. */
export interface PackFacts {
  readonly superUser: boolean;
  /** Applications are served over plain HTTP. */
  readonly hasApp: boolean;
  /** Harper takes requests of this machine without credentials for those of a super_user. */
  readonly localIsSuperUser: boolean;
}

/**
 * The packs that are on: all of them for a super_user; for any other agent user those that its role limits, and
 * what the operator named in `agent.tools`. Without a plain HTTP port there is no application to fetch from.
 */
export function choosePacks(
  config: Pick<AgentConfig, 'tools' | 'httpFetch'>,
  { superUser, hasApp, localIsSuperUser }: PackFacts,
): ReadonlySet<Pack> {
  const packs = new Set<Pack>(['operations', 'files', ...config.tools]);
  if (superUser) for (const pack of REACH_PAST_A_ROLE) packs.add(pack);
  if (superUser || !localIsSuperUser) packs.add('http');
  if (!config.httpFetch || !hasApp) packs.delete('http');
  return packs;
}
