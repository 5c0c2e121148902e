import type { ScriptedRequest, Step } from '@harperfast/agent-testkit';
import { ScriptedModel, answers, registerScript } from '@harperfast/agent-testkit';
import { planMove } from './demo-plan.js';
import { readTurn } from './read-turn.js';

const CHARACTERS_PER_TOKEN = 4;

/** One reply of the demo model. It holds no state: everything is read from the transcript, also after a restart. */
export function demoStep(request: ScriptedRequest): Step {
  const { say, calls = [] } = planMove(readTurn(request));
  return answers({
    content: say,
    toolCalls: calls,
    finishReason: calls.length === 0 ? 'stop' : 'tool_calls',
    usage: {
      promptTokens: tokensOf([request.system, request.messages, request.tools]),
      completionTokens: tokensOf([say, calls]),
    },
  });
}

function tokensOf(parts: readonly unknown[]): number {
  return Math.ceil(JSON.stringify(parts).length / CHARACTERS_PER_TOKEN);
}

/** What the host calls for the entry of its configuration that names this module. */
export const register = registerScript(new ScriptedModel(demoStep, { keepRequests: false }));
