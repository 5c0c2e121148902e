import { stepwise } from '@harperfast/agent-core';
import type { ModelGateway } from '@harperfast/agent-core/contracts';
import type { ScriptedModel } from './scripted-model.js';

/** The scripted model as a gateway, driven by the engine's own stepwise loop. */
export function scriptedGateway(model: ScriptedModel): ModelGateway {
  return stepwise((request, signal) => model.generate(request, signal), 'scripted');
}
