import {
  ScriptedModel,
  calls,
  hangs,
  registerScript,
  reply,
  scriptByPrompt,
} from '@harperfast/agent-testkit';

const rex = { database: 'data', table: 'dog', records: [{ id: 1, name: 'Rex' }] };

/** What the model does in the examples of docs/operations.md. */
export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      {
        when: 'Describe the schema',
        steps: [calls({ name: 'describe_all', arguments: {} }), reply('There is one table, data.dog.')],
      },
      {
        when: 'Drop the table dog',
        steps: [
          calls({ name: 'drop_table', arguments: { database: 'data', table: 'dog' } }),
          reply('Then I leave it.'),
        ],
      },
      {
        when: 'Add the dog Rex',
        steps: [calls({ name: 'insert', arguments: rex }), reply('Rex is in.')],
      },
      {
        when: 'Write a greeting',
        steps: [
          calls({ name: 'write_file', arguments: { path: 'hello.txt', content: 'hello\n' } }),
          reply('It is written.'),
        ],
      },
      { when: 'Watch the server', steps: [hangs()] },
    ]),
  ),
);
