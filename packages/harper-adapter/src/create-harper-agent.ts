import { isAbsolute, relative, resolve } from 'node:path';
import type { Agent, AgentSettings } from '@harperfast/agent-core';
import { createAgent, systemClock } from '@harperfast/agent-core';
import type { Clock } from '@harperfast/agent-core/contracts';
import type { AgentConfig } from './config.js';
import type { HarperHost, HarperPaths } from './host.js';
import type { LivePacks } from './live-packs.js';
import { agentFolder, keepOutOfReach } from './agent-folder.js';
import type { NotifyOperator } from './announce-alerts.js';
import { announceAlerts } from './announce-alerts.js';
import { choosePacks } from './choose-packs.js';
import { settingsOf } from './config.js';
import { createAgentTokens } from './http/agent-tokens.js';
import { createHttpTools } from './http/create-http-tools.js';
import { createFollowups } from './create-followups.js';
import { createHarperGateway } from './gateway/create-harper-gateway.js';
import { definedFields } from './defined-fields.js';
import { forgetLostSessions, openFileChanges, openRevert } from './file-changes.js';
import { ensureAgentUser } from './identity.js';
import { createLivePacks } from './live-packs.js';
import { openFingerprintKey } from './open-fingerprint-key.js';
import { registerOperations } from './operations/register-operations.js';
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
  { clock = systemClock, notify }: HarperAgentExtras = {},
): Promise<Agent> {
  const componentsRoot = resolveComponentsRoot(host.paths, config.componentsScope);
  const folder = agentFolder(host.paths);
  keepOutOfReach(folder, componentsRoot, 'The folder of the components');
  keepOutOfReach(folder, host.paths.logs, 'The folder of the logs');
  const user = await ensureAgentUser(host.server, config.user);
  const live = createLivePacks(host.server, user, (superUser) => choosePacks(config, { superUser }));
  const tokens = createAgentTokens(host.server, user.username, clock);
  const http = createHttpTools(host, config.httpFetch || { allow: [] }, user.username, tokens);
  const fingerprintKey = await openFingerprintKey(folder);
  const redactor = createHarperRedactor(host.config, host.logger, tokens.known);
  const changes = openFileChanges(folder, host.logger);
  const store = await openTableStore(host, redactor);
  await forgetLostSessions(store, changes, host.logger);
  const followups = createFollowups(host, config, { agent: () => agent, clock, redactor });
  const announceAlert = announceAlerts(host, notify);
  const agent: Agent = createAgent({
    store,
    gateway: createHarperGateway(host.models),
    providers: [
      ...(followups === undefined ? [] : [followups]),
      ...createToolProviders(host, live, componentsRoot, http, changes),
    ],
    caller: { user: user.username },
    systemPrompt: () => systemPrompt(host, live),
    prices: createPriceBook({ own: config.prices, list: await loadListPrices(), hostConfig: host.config }),
    tokens: await loadTokenCounter(),
    redactor,
    fingerprintKey,
    settings: settingsOf(config),
    clock,
    logger: host.logger,
    onEntries(sessionId, entries) {
      announceAlert(sessionId, entries);
      followups?.observe(sessionId, entries);
    },
  });

  try {
    await settleEarlierSessions(agent, host);
    registerOperations(host.server, {
      agent,
      stored: store,
      clock,
      fileChanges: openRevert(changes, componentsRoot),
      announce: host.announce,
      agentUser: user.username,
      node: host.node,
      provider: { current: config.provider },
      fixedConfig: {
        enabled: true,
        user: user.username,
        tools: config.tools,
        httpFetch: config.httpFetch,
        followups: config.followups,
        prices: config.prices,
        ...definedFields({ componentsScope: config.componentsScope }),
      },
    });
  } catch (error) {
    await agent.close();
    throw error;
  }
  host.announce(startLine(agent.settings, live, config.httpFetch));
  // What cannot be read now is read with the first use of it.
  await followups?.start().catch((error: unknown) => {
    host.logger.error(`Followups are not delivered, they could not be read: ${String(error)}`);
  });
  return agent;
}

async function settleEarlierSessions(agent: Agent, { logger }: HarperHost): Promise<void> {
  const { interrupted, resumed } = await agent.recover();
  if (interrupted + resumed === 0) return;
  logger.warn(`Agent sessions of an earlier process: ${interrupted} interrupted, ${resumed} resumed`);
}

function systemPrompt(host: HarperHost, { user, packs }: LivePacks): string {
  return composeSystemPrompt({
    node: host.node,
    user: user.username,
    superUser: user.superUser,
    packs,
    appUrl: host.appPort === undefined ? undefined : `http://127.0.0.1:${host.appPort}`,
  });
}

/** The folder the file tools may reach: Harper's components root, or a narrower one within Harper's root folder. */
function resolveComponentsRoot(paths: HarperPaths, scope: string | undefined): string {
  if (scope === undefined) return paths.components;
  const path = resolve(paths.root, scope);
  const inside = relative(paths.root, path);
  if (inside.split(/[/\\]/)[0] === '..' || isAbsolute(inside)) {
    throw new Error(
      `agent.componentsScope '${scope}' lies outside of Harper's root folder; name a folder within it`,
    );
  }
  return path;
}

function startLine(
  settings: AgentSettings,
  { user, packs }: LivePacks,
  httpFetch: AgentConfig['httpFetch'],
): string {
  return (
    `Agent component initialized: model ${settings.model ?? 'default'}, user ${user.username} ` +
    `(${user.superUser ? 'super_user' : 'limited by its role'}), tools ${[...packs].join(' ')}, ` +
    `caps ${settings.maxTurns} turns a run and ${settings.maxCostUsd} USD a session, ` +
    `autoApprove ${settings.autoApprove}, allowDestructive ${settings.allowDestructive}` +
    (httpFetch === true ? ', every public host may be fetched from without asking (httpFetch: true)' : '')
  );
}
