import type { AgentSettings } from '@harperfast/agent-core';
import type { AgentConfig } from './config.js';
import type { HarperHost } from './host.js';
import type { AgentUser } from './identity.js';
import { listsOperations } from './identity.js';

/** What is risky about a configuration, a line each. */
export function findRisks(
  host: Pick<HarperHost, 'localIsSuperUser'>,
  { httpFetch }: Pick<AgentConfig, 'httpFetch'>,
  settings: Pick<AgentSettings, 'autoApprove' | 'allowDestructive' | 'unpricedModels'>,
  { username, superUser, user }: AgentUser,
): readonly string[] {
  const lines = [
    settings.autoApprove &&
      settings.allowDestructive &&
      'autoApprove with allowDestructive: the agent drops and deletes without asking anybody',
    settings.unpricedModels === 'allow' &&
      'unpricedModels is allow: maxCostUsd does not bind models whose price is not known',
    httpFetch === true && 'httpFetch is true: every public host may be fetched from without asking',
    superUser &&
      listsOperations(user) &&
      `the role of '${username}' lists operations, but is a super_user: files, logs and configuration are open to the ` +
        'agent all the same, and on some versions of Harper every operation',
    host.localIsSuperUser &&
      'authentication.authorizeLocal is on: whoever sends a request from this machine is a super_user, and may ' +
        'approve what the agent asks',
  ];
  return lines.filter((line) => typeof line === 'string');
}

/** Logs each risk when it comes up; one that stays is not repeated, one that comes back is. */
export function warnOfRisks(
  host: Pick<HarperHost, 'localIsSuperUser' | 'logger'>,
  config: Pick<AgentConfig, 'httpFetch'>,
): (settings: AgentSettings, user: AgentUser) => void {
  let known: readonly string[] = [];
  return (settings, user) => {
    const risks = findRisks(host, config, settings, user);
    for (const risk of risks) if (!known.includes(risk)) host.logger.warn(`Agent: ${risk}`);
    known = risks;
  };
}
