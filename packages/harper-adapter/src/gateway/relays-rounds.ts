import type { HarperModels } from '../host.js';
import { relay } from './relay.js';

const NOBODY_HAS_THIS = 'agent-probe';

/**
 * Whether the host's loop calls back through `this` for every round. It is asked for a model and a capability that
 * nobody has, so a host that does not come back finds nothing to call and answers with an error.
 */
export async function relaysRounds(models: HarperModels): Promise<boolean> {
  let asked = false;
  const probe = relay(models, async () => {
    asked = true;
    return { content: '', finishReason: 'stop' };
  });
  try {
    await models.generate.call(probe, 'probe', {
      model: NOBODY_HAS_THIS,
      requires: [NOBODY_HAS_THIS],
      toolMode: 'auto',
      toolHandlers: {},
      maxToolIterations: 1,
      maxTokens: 1,
    });
  } catch {
    // Not found, mode unknown, or a private member the relay does not have: all say that it does not come back.
  }
  return asked;
}
