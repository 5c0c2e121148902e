import { setTimeout as delay } from 'node:timers/promises';

const FASTEST_MS = 1_000;
const SLOWEST_MS = 3_000;
// In turns, since the engine ends a run that makes one and the same call again and again.
const CALLS = ['cluster_status', 'get_components'];

/** A model that takes its time and never comes to an end: every reply calls for a small read. */
async function generate({ messages }, { signal } = {}) {
  await delay(FASTEST_MS + Math.random() * (SLOWEST_MS - FASTEST_MS), undefined, { signal });
  const calls = [
    { id: `call-${messages.length}`, name: CALLS[(messages.length >> 1) % CALLS.length], arguments: {} },
  ];
  return {
    status: 'completed',
    output: { content: '', toolCalls: calls, finishReason: 'tool_calls' },
    usage: { promptTokens: 1_000, completionTokens: 20 },
  };
}

/** Puts the model behind the logical name it is configured for. */
export function register({ kind, logicalName }) {
  const { models } = globalThis;
  models.registerBackend(kind, logicalName, models.defineBackend({ name: 'slow', tools: true, generate }));
}
