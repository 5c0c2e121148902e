import { ScriptedModel, calls, registerScript, reply, scriptByPrompt } from '@harperfast/agent-testkit';
import { lastResults } from '../../src/models/read-results.mjs';

/** `fetch [{ "url": … }, …]` calls http_fetch with each, one after the other, and tells what came. */
const fetchAll = (request) => {
  const prompt = request.messages.findLast(({ role }) => role === 'user').content;
  const inputs = JSON.parse(/\[\{.*\}\]/s.exec(prompt)[0]);
  return calls(...inputs.map((input) => ({ name: 'http_fetch', arguments: input })));
};

export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      { when: 'fetch', steps: [fetchAll, (request) => reply(lastResults(request).join('\n---\n'))] },
      {
        when: 'insert one',
        steps: [
          calls({
            name: 'insert',
            arguments: { database: 'data', table: 'note', records: [{ text: 'first' }] },
          }),
          reply('inserted'),
        ],
      },
    ]),
  ),
);
