// A model that costs nothing and does what the prompt says, for tests: `models.generative.default.backend` names this file.
// `call [[{ "name": "describe_all", "arguments": {} }], …]` makes these calls, a list a round, whether there are such tools
// or not, and then answers `done`; anything else is answered with the names of the tools that are on offer.

const USAGE = { promptTokens: 100, completionTokens: 20 };

async function generate(input) {
  const { messages, tools = [] } = Array.isArray(input) ? { messages: input } : input;
  const at = messages.findLastIndex(({ role, content }) => role === 'user' && content.includes('call [['));
  const output = at === -1 ? reply(tools.map(({ name }) => name).join(' ')) : nextRound(messages.slice(at));
  return { status: 'completed', output, usage: USAGE };
}

/** The round after those that the transcript holds already: so it goes on where it was after a restart. */
function nextRound([prompt, ...later]) {
  const rounds = JSON.parse(/\[\[.*\]\]/s.exec(prompt.content)[0]);
  const past = later.filter(({ role }) => role === 'assistant').length;
  const calls = rounds[past];
  if (calls === undefined) return reply('done');
  const toolCalls = calls.map((call, index) => ({ id: `call-${past}-${index}`, ...call }));
  return { content: '', toolCalls, finishReason: 'tool_calls' };
}

function reply(content) {
  return { content, finishReason: 'stop' };
}

/** Harper calls it, in every thread, with the entry of the configuration that names this file. */
export function register({ kind, logicalName }) {
  const { models } = globalThis;
  models.registerBackend(kind, logicalName, models.defineBackend({ name: 'stub', tools: true, generate }));
}
