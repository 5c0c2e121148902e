import { systemClock } from '@harperfast/agent-core';
import type { AgentConfig, ParsedConfig } from './config.js';
import { agentDisabled } from './agent-disabled.js';
import { DEFAULT_AGENT_USER, parseConfig } from './config.js';
import type { HarperAgentExtras } from './create-harper-agent.js';
import { openHarperAgent } from './create-harper-agent.js';
import { fieldsOf } from './fields-of.js';
import { registerOperations } from './operations/register-operations.js';
import { readHost, readLogger, readServer } from './read-host.js';
import type { SupervisedAgent } from './supervise-agent.js';
import { superviseAgent } from './supervise-agent.js';

// Some versions of Harper call the hook again in the same process. Two agents on the same tables would both
// believe that they alone write them.
let running: SupervisedAgent | undefined;
let lastStart: Promise<void> = Promise.resolve();

/**
 * Harper's hook for built-in components, called with `{ server, ensureTable, port, …, ...the block 'agent:' }`.
 * With `enabled: false`, the default, it does nothing at all. It never throws: what keeps the agent from running is
 * logged, its operations answer 503 with the reason, and the server goes on without it; each such call looks whether
 * the agent can run now. Of two calls the later one holds, once the earlier has ended. A component that wraps this one
 * can pass `extras`, such as where alerts go.
 */
export function startOnMainThread(options: object, extras: HarperAgentExtras = {}): Promise<void> {
  lastStart = lastStart.then(() => startInstead(options, extras));
  return lastStart;
}

async function startInstead(options: object, extras: HarperAgentExtras): Promise<void> {
  const { logger } = readLogger();
  try {
    await running?.close();
    running = undefined;
    // Whatever else is wrong with the block: who switched the agent on is told by its operations, too.
    const { enabled } = checked(parseConfig(fieldsOf(options, ['enabled'])));
    if (!enabled) return;
    const agent = superviseAgent(() => start(options, extras), {
      clock: extras.clock ?? systemClock,
      logger,
    });
    running = agent;
    await agent.context().catch(() => undefined);
    const server = readServer(options);
    if (server === undefined) return;
    registerOperations(server, { agentUser: agentUserOf(options), context: () => agent.context() });
  } catch (error) {
    logger.error(agentDisabled(error).message);
  }
}

async function start(options: object, extras: HarperAgentExtras) {
  const config = checked(parseConfig(options));
  return openHarperAgent(await readHost(options), config, extras);
}

function checked(parsed: ParsedConfig): AgentConfig {
  if (parsed.ok) return parsed.config;
  throw new Error(`its configuration is not valid, correct it and restart: ${parsed.problems.join('; ')}`);
}

/** Who may not call the operations, also where the configuration is not valid. */
function agentUserOf(options: object): string {
  const { user } = fieldsOf(options, ['user']);
  return typeof user === 'string' ? user : DEFAULT_AGENT_USER;
}
