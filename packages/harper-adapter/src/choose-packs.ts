import type { AgentConfig, Pack } from './config.js';

/** Packs whose tools a role of Harper does not limit. */
const REACH_PAST_A_ROLE: readonly Pack[] = ['file-writes', 'logs', 'config'];

/** What decides about packs besides the configuration. */
export interface PackFacts {
  readonly superUser: boolean;
}

/**
 * The packs that are on: for a super_user all of them but the inspector, for any other agent user those that its role
 * limits; and what the operator named in `agent.tools`. The inspector has to be named by whoever wants it: Node's own
 * code for it has been seen to end the whole process while workers start or end.
 */
export function choosePacks(
  config: Pick<AgentConfig, 'tools' | 'httpFetch' | 'followups'>,
  { superUser }: PackFacts,
): ReadonlySet<Pack> {
  const packs = new Set<Pack>(['operations', 'files', 'http', ...config.tools]);
  if (superUser) for (const pack of REACH_PAST_A_ROLE) packs.add(pack);
  if (config.httpFetch === false) packs.delete('http');
  if (config.followups === false) packs.delete('schedule');
  else packs.add('schedule');
  return packs;
}
