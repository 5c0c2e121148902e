import { ScriptedModel, calls, registerScript, reply } from '@harperfast/agent-testkit';

const append = (name) => ({ name: 'create_database', arguments: { database: name } });
const look = { name: 'cluster_status', arguments: {} };

/**
 * `append <id> <rounds>`: that many rounds, each with a read and two appends of names that come once in a lifetime. The
 * place is found in the transcript, so that the model goes on after a kill.
 */
function next({ messages }) {
  const at = messages.findLastIndex(
    ({ role, content }) => role === 'user' && /^(append \w+ \d+|hello)$/.test(content),
  );
  const [kind, id, rounds] = (messages[at]?.content ?? 'hello').split(' ');
  const round = messages.slice(at).filter(({ role }) => role === 'assistant').length;
  if (kind === 'hello') return reply('hello back');
  if (round >= Number(rounds)) return reply(`appended ${id}`);
  return calls(append(`${id}_${round}_a`), look, append(`${id}_${round}_b`));
}

export const register = registerScript(new ScriptedModel(next, { keepRequests: false }));
