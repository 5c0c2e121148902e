import { ScriptedModel, calls, registerScript, reply, scriptByPrompt } from '@harperfast/agent-testkit';
import { lastResults } from '../../src/models/read-results.mjs';

/** The calls a prompt holds as `[{ "name": …, "arguments": { … } }, …]`. */
const callsIn = ({ messages }) => {
  const prompt = messages.findLast(({ role }) => role === 'user').content;
  return JSON.parse(/\[\{.*\}\]/s.exec(prompt)[0]);
};
const tellResults = (request) => reply(lastResults(request).join('\n---\n'));
const toolNames = ({ tools }) => reply(tools.map(({ name }) => name).join(' '));

/** What the model does, by what the prompt holds. */
export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      { when: 'which tools', steps: [toolNames] },
      { when: 'call together', steps: [(request) => calls(...callsIn(request)), tellResults] },
      {
        when: 'call in turn',
        steps: [(request) => calls(callsIn(request)[0]), (request) => calls(callsIn(request)[1]), toolNames],
      },
    ]),
  ),
);
