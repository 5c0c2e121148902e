import {
  ScriptedModel,
  answers,
  calls,
  hangs,
  registerScript,
  reply,
  scriptByPrompt,
} from '@harperfast/agent-testkit';
import { lastResults } from '../../src/models/read-results.mjs';

const insert = (text) => ({
  name: 'insert',
  arguments: { database: 'data', table: 'note', records: [{ text }] },
});
const tellResults = (request) => reply(`I read: ${lastResults(request).join(' | ')}`);
const userTexts = ({ messages }) =>
  messages.filter(({ role }) => role === 'user').map(({ content }) => content);

/** Uses as many output tokens as it may, up to 10,000, and never comes to an end. */
const spend = (request) =>
  answers({
    content: '',
    toolCalls: [{ name: 'read_log', arguments: { limit: request.messages.length } }],
    finishReason: 'tool_calls',
    usage: { promptTokens: 100, completionTokens: Math.min(10_000, request.maxTokens) },
  });

/** What the model does, by what the prompt holds; it goes on where the transcript is, also after a restart. */
export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      { when: 'say hello', steps: [reply('hello back')] },
      {
        when: 'look around',
        steps: [
          calls({ name: 'describe_all', arguments: {} }),
          calls({ name: 'get_components', arguments: {} }, { name: 'cluster_status', arguments: {} }),
          calls({ name: 'system_information', arguments: {} }),
          reply('looked around'),
        ],
      },
      { when: 'hang', steps: [hangs()] },
      { when: 'insert one', steps: [calls(insert('first')), tellResults] },
      { when: 'insert two', steps: [calls(insert('left'), insert('right')), tellResults] },
      {
        when: 'remember',
        steps: [
          calls({ name: 'cluster_status', arguments: {} }),
          (request) => reply(userTexts(request).join(' / ')),
        ],
      },
      { when: 'system prompt', steps: [(request) => reply(request.system)] },
      { when: 'which tools', steps: [(request) => reply(request.tools.map(({ name }) => name).join(' '))] },
      { when: 'spend', steps: Array.from({ length: 40 }, () => spend) },
    ]),
  ),
);
