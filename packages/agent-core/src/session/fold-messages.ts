import type { ModelMessage } from '../contracts/index.js';
import { deepFreeze } from './deep-freeze.js';
import type { SessionState } from './state.js';

/** The state with the prompts up to a seq among its messages. */
export function sendPrompts(state: SessionState, upTo: number): SessionState {
  const sent = state.unsent.filter((prompt) => prompt.seq <= upTo);
  if (sent.length === 0) return state;
  let next: SessionState = { ...state, unsent: state.unsent.filter((prompt) => prompt.seq > upTo) };
  for (const prompt of sent) next = addMessages(next, prompt.seq, [{ role: 'user', content: prompt.text }]);
  return next;
}

/** A prompt that waited for a round's results comes after them, so its message takes their seq: seqs never fall. */
export function addMessages(
  state: SessionState,
  seq: number,
  messages: readonly ModelMessage[],
): SessionState {
  const place = Math.max(seq, state.messageSeqs.at(state.messageSeqs.length - 1) ?? 0);
  return {
    ...state,
    messages: state.messages.push(...messages.map((message) => deepFreeze(message))),
    messageSeqs: state.messageSeqs.push(...messages.map(() => place)),
  };
}
