import type { Agent } from '@harperfast/agent-core';
import { parseConfig } from './config.js';
import type { HarperAgentExtras } from './create-harper-agent.js';
import { createHarperAgent } from './create-harper-agent.js';
import { readHost, readLogger } from './read-host.js';

// Some versions of Harper call the hook again in the same process. Two agents on the same tables would both
// believe that they alone write them.
let running: Agent | undefined;
let lastStart: Promise<void> = Promise.resolve();

/**
 * Harper's hook for built-in components, called with `{ server, ensureTable, port, …, ...the block 'agent:' }`.
 * With `enabled: false`, the default, it does nothing at all. It never throws: what keeps the agent from running is
 * logged, and the server goes on without it. Of two calls the later one holds, once the earlier has ended. A component that
 * wraps this one can pass `extras`, such as where alerts go.
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
    const parsed = parseConfig(options);
    if (!parsed.ok) {
      logger.error(`The agent is disabled, its configuration is not valid: ${parsed.problems.join('; ')}`);
      return;
    }
    if (!parsed.config.enabled) return;
    running = await createHarperAgent(await readHost(options), parsed.config, extras);
  } catch (error) {
    logger.error(`The agent is disabled: ${error instanceof Error ? error.message : String(error)}`);
  }
}
