import { InvalidRequestError } from '@harperfast/agent-core/contracts';
import { z } from 'zod';
import type { OperationContext } from './operation-context.js';
import { defineOperation } from './agent-operation.js';

/** Keys of the block `agent:` that are read once, when the process starts. */
const FIXED_AT_START = [
  'enabled',
  'user',
  'componentsScope',
  'tools',
  'httpFetch',
  'followups',
  'prices',
] as const;

/**
 * Changes settings of the running agent and answers all of them. The change holds in memory, until the process
 * ends; who made it goes to the log. The engine checks the values.
 */
export const setAgentConfig = defineOperation({
  name: 'set_agent_config',
  input: z.record(z.string(), z.unknown()),
  async run(patch, by, context) {
    const fixed = FIXED_AT_START.filter((key) => Object.hasOwn(patch, key));
    if (fixed.length > 0) {
      throw new InvalidRequestError(
        `set_agent_config: ${fixed.join(', ')} cannot change while the agent runs; set it under 'agent' in the server's configuration and restart`,
      );
    }
    const { provider, ...settings } = patch;
    const parsedProvider = z.string().min(1).optional().safeParse(provider);
    if (!parsedProvider.success) throw new InvalidRequestError('set_agent_config: provider must be a text');

    context.agent.setConfig(settings, by);
    if (parsedProvider.data !== undefined) context.provider.current = parsedProvider.data;
    context.announce(
      `Agent settings changed by ${by}: ${Object.keys(patch).join(', ') || 'nothing'} (until restart)`,
    );
    return liveConfig(context);
  },
});

/** Every setting as it is now. */
function liveConfig({ agent, provider, fixedConfig, node }: OperationContext) {
  return {
    ...fixedConfig,
    ...agent.settings,
    model: agent.settings.model ?? null,
    contextWindow: agent.settings.contextWindow ?? null,
    provider: provider.current ?? null,
    persisted: false,
    node,
  };
}
