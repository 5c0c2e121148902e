import { z } from 'zod';
import { defineOperation } from './agent-operation.js';

/**
 * Changes settings of the running agent, all that are given or none, and answers the whole configuration. A change
 * holds in memory until the process ends; who made it goes to the log.
 */
export const setAgentConfig = defineOperation({
  name: 'set_agent_config',
  description:
    'Changes settings of the running agent, in memory only, and answers all of them; without parameters it only answers.',
  input: z.record(z.string(), z.unknown()),
  async run(patch, by, { config, node }) {
    if (Object.keys(patch).length > 0) config.change(patch, by);
    return { ...config.shown(), persisted: false, node };
  },
});
