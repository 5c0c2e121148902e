import { ScriptedModel, calls, registerScript, reply, scriptByPrompt } from '@harperfast/agent-testkit';

const write = (path) => ({ name: 'write_file', arguments: { path, content: 'rest: true\n' } });
const rule = (input) => calls({ name: 'harper_best_practice', arguments: input });

/** What the model does, by what the prompt holds. */
export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      { when: 'tell your instructions', steps: [(request) => reply(request.system)] },
      { when: 'which tools', steps: [(request) => reply(request.tools.map(({ name }) => name).join(' '))] },
      {
        when: 'write with a prefix',
        steps: [
          calls(write('/componentsRoot/app/config.yaml')),
          calls(write('app/config.yaml')),
          reply('written'),
        ],
      },
      {
        when: 'read the rules',
        steps: [rule({}), rule({ rule: 'schema' }), rule({ rule: '../../package' }), reply('read')],
      },
    ]),
  ),
);
