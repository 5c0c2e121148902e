import type { Agent, AgentSettings } from '@harperfast/agent-core';
import { createAgent, systemClock } from '@harperfast/agent-core';
import type { Clock } from '@harperfast/agent-core/contracts';
import type { AgentConfig } from './config.js';
import type { HarperHost } from './host.js';
import type { LivePacks } from './live-packs.js';
import type { OpenedAgent } from './supervise-agent.js';
import { agentDisabled } from './agent-disabled.js';
import { agentFolder } from './agent-folder.js';
import { createBestPractices } from './best-practice/create-best-practices.js';
import { skillsFolders } from './best-practice/skills-folders.js';
import type { NotifyOperator } from './notify/announce-alerts.js';
import { announceAlerts } from './notify/announce-alerts.js';
import { openWebhook } from './notify/open-webhook.js';
import { readNotify, showNotify } from './notify/read-notify.js';
import { choosePacks } from './choose-packs.js';
import { closingToo } from './closing-too.js';
import { createAgentTokens } from './http/agent-tokens.js';
import { createHttpTools } from './http/create-http-tools.js';
import { createFollowups } from './create-followups.js';
import { createHarperGateway } from './gateway/create-harper-gateway.js';
import { forgetLostSessions, openFileChanges, openRevert } from './file-changes.js';
import { ensureAgentUser } from './identity.js';
import { createLiveConfig, startSettings } from './live-config.js';
import { createLivePacks } from './live-packs.js';
import { openFingerprintKey } from './open-fingerprint-key.js';
import { addAgentTools } from './operations/add-agent-tools.js';
import type { OperationContext } from './operations/operation-context.js';
import { registerOperations } from './operations/register-operations.js';
import { reachablePaths } from './reachable-paths.js';
import { createPriceBook } from './prices/create-price-book.js';
import { loadListPrices } from './prices/load-list-prices.js';
import { createHarperRedactor } from './redaction/create-harper-redactor.js';
import { openTableStore } from './store/open-table-store.js';
import { composeSystemPrompt } from './system-prompt.js';
import { loadTokenCounter } from './tokens/load-token-counter.js';
import { createToolProviders } from './tool-providers.js';

/** What a host may add that no configuration can hold. */
export interface HarperAgentExtras {
  /** The real time when absent. */
  readonly clock?: Clock;
  /** Is called with every alert of the agent, beside the log. */
  readonly notify?: NotifyOperator;
}

/**
 * Starts the agent in a Harper process: resolves its user, opens its tables, settles what an earlier process left,
 * and registers its operations last, so that no request meets a half-started agent. Rejects with the reason when it
 * cannot run as configured; it never runs with more rights, tools or money than that.
 */
export async function createHarperAgent(
  host: HarperHost,
  config: AgentConfig,
  extras: HarperAgentExtras = {},
): Promise<Agent> {
  const { agent, context } = await openHarperAgent(host, config, extras);
  registerOperations(host.server, { agentUser: config.user, context: () => context });
  return agent;
}

/** The same without its operations: for whoever registers them before there is an agent. */
export async function openHarperAgent(
  host: HarperHost,
  config: AgentConfig,
  { clock = systemClock, notify }: HarperAgentExtras = {},
): Promise<OpenedAgent> {
  const paths = reachablePaths(host.paths, config);
  const folder = agentFolder(host.paths);
  const settings = startSettings(host, config);
  const user = await ensureAgentUser(host.server, config.user);
  const live = createLivePacks(host.server, user, (superUser) => choosePacks(config, { superUser }));
  const checkUser = async (): Promise<void> => {
    await live.refresh().catch((error: unknown) => Promise.reject(agentDisabled(error)));
  };
  const tokens = createAgentTokens(host.server, user.username, clock);
  const http = createHttpTools(host, config.httpFetch || { allow: [] }, user.username, tokens);
  const fingerprintKey = await openFingerprintKey(folder);
  const notifyTarget = config.notify && readNotify(config.notify, process.env);
  const secrets = notifyTarget?.secrets ?? [];
  const redactor = createHarperRedactor(host.config, host.logger, [tokens.known, () => secrets]);
  const changes = openFileChanges(folder, host.logger);
  const store = await openTableStore(host, redactor);
  await forgetLostSessions(store, changes, host.logger);
  const followups = createFollowups(host, config, { agent: () => agent, clock, redactor, checkUser });
  const announceAlert = announceAlerts(host, notify);
  const webhook = openWebhook(notifyTarget, host, clock);
  const practices = createBestPractices(skillsFolders(host.paths));
  const agent: Agent = createAgent({
    store,
    gateway: createHarperGateway(host.models),
    providers: createToolProviders(
      { ...host, paths },
      {
        config,
        others: [...(followups === undefined ? [] : [followups]), practices],
        live,
        componentsRoot: paths.components,
        http,
        changeLog: changes,
        hashKey: fingerprintKey,
        tokens,
        clock,
        settings: () => agent.settings,
      },
    ),
    caller: { user: user.username },
    systemPrompt: () => systemPrompt({ ...host, paths }, live, practices.overview),
    prices: createPriceBook({ own: config.prices, list: await loadListPrices(), hostConfig: host.config }),
    tokens: await loadTokenCounter(),
    redactor,
    fingerprintKey,
    settings,
    clock,
    logger: host.logger,
    onEntries(sessionId, entries) {
      announceAlert(sessionId, entries);
      webhook?.observe(sessionId, entries);
      followups?.observe(sessionId, entries);
    },
  });
  let removeTools = (): void => undefined;
  closingToo(agent, [() => removeTools(), () => webhook?.close()]);

  try {
    await settleEarlierSessions(agent, host);
    if (host.registry !== undefined) removeTools = addAgentTools(host.registry, host.server, user.username);
  } catch (error) {
    await agent.close();
    throw error;
  }
  const context: OperationContext = {
    agent,
    stored: store,
    clock,
    fileChanges: openRevert(changes, paths.components),
    announce: host.announce,
    node: host.node,
    config: createLiveConfig({
      agent,
      host,
      config,
      user: () => live.user,
      notify: notifyTarget === undefined ? null : showNotify(notifyTarget),
    }),
    checkUser,
  };
  host.announce(startLine(agent.settings, live));
  // What cannot be read now is read with the first use of it.
  await followups?.start().catch((error: unknown) => {
    host.logger.error(`Followups are not delivered, they could not be read: ${String(error)}`);
  });
  return { agent, context };
}

async function settleEarlierSessions(agent: Agent, { logger }: HarperHost): Promise<void> {
  const { interrupted, resumed } = await agent.recover();
  if (interrupted + resumed === 0) return;
  logger.warn(`Agent sessions of an earlier process: ${interrupted} interrupted, ${resumed} resumed`);
}

function systemPrompt(
  { node, paths, appPort }: HarperHost,
  { user, packs }: LivePacks,
  bestPractices: string | undefined,
): string {
  return composeSystemPrompt({
    node,
    paths,
    user: user.username,
    superUser: user.superUser,
    packs,
    appUrl: appPort === undefined ? undefined : `http://127.0.0.1:${appPort}`,
    bestPractices,
  });
}

function startLine(settings: AgentSettings, { user, packs }: LivePacks): string {
  return (
    `Agent component initialized: model ${settings.model ?? 'default'}, user ${user.username} ` +
    `(${user.superUser ? 'super_user' : 'limited by its role'}), tools ${[...packs].join(' ')}, ` +
    `caps ${settings.maxTurns} turns a run and ${settings.maxCostUsd} USD a session, ` +
    `autoApprove ${settings.autoApprove}, allowDestructive ${settings.allowDestructive}`
  );
}
