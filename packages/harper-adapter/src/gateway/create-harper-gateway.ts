import { stepwise } from '@harperfast/agent-core';
import type { ModelGateway } from '@harperfast/agent-core/contracts';
import type { HarperModels } from '../host.js';
import { generateOnce } from './generate-once.js';
import { orchestrate } from './orchestrate.js';
import { relaysRounds } from './relays-rounds.js';

/**
 * Reaches the models of the host through `scope.models`. The host's own loop (`toolMode: 'auto'`) drives the run,
 * and every round of it comes back to the engine; a host whose loop does not come back is driven step by step,
 * with the same outcomes. Which of the two it is, is found out once, without a model call.
 */
export function createHarperGateway(models: HarperModels): ModelGateway {
  const byStep = stepwise((request, signal) => generateOnce(models, request, signal), 'harper-stepwise');
  let relayed: Promise<boolean> | undefined;

  return {
    name: 'harper',
    async run(rounds) {
      rounds.signal.throwIfAborted();
      relayed ??= relaysRounds(models);
      await ((await relayed) ? orchestrate(models, rounds) : byStep.run(rounds));
    },
  };
}
