import type { ModelMessage } from '@harperfast/agent-core/contracts';
import type { ScriptedRequest } from '../../src/scripted-model/step.js';

/** A request whose transcript is these messages, by default one prompt. */
export function sampleRequest(
  messages: readonly ModelMessage[] = [{ role: 'user', content: 'Go' }],
  fields: Partial<ScriptedRequest> = {},
): ScriptedRequest {
  return { system: 'Be brief.', tools: [], maxTokens: 100, conversationId: 's1', ...fields, messages };
}

/** A transcript after so many rounds of one call each. */
export function transcriptAfter(rounds: number, prompt = 'Go'): ModelMessage[] {
  const messages: ModelMessage[] = [{ role: 'user', content: prompt }];
  for (let round = 1; round <= rounds; round++) {
    messages.push({
      role: 'assistant',
      content: '',
      toolCalls: [{ id: `c${round}`, name: 'look', arguments: {} }],
    });
    messages.push({ role: 'tool', toolCallId: `c${round}`, content: 'ok' });
  }
  return messages;
}
