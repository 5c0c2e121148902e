import { ScriptedModel, calls, registerScript, reply } from '@harperfast/agent-testkit';

/** Makes the calls that the last prompt lists as JSON, all in one round, and ends. */
function next({ messages }) {
  const at = messages.findLastIndex(({ role }) => role === 'user');
  const asked = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  if (asked > 0) return reply('done');
  return calls(...JSON.parse(messages[at]?.content ?? '[]'));
}

export const register = registerScript(new ScriptedModel(next, { keepRequests: false }));
