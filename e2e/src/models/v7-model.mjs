import { ScriptedModel, calls, registerScript, reply, scriptByPrompt } from '@harperfast/agent-testkit';

export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      {
        when: 'read /etc/passwd',
        steps: [
          calls(
            { name: 'read_file', arguments: { path: '/etc/passwd' } },
            { name: 'read_file', arguments: { path: '../../../../../../../../etc/passwd' } },
            { name: 'read_file', arguments: { root: 'logs', path: '/etc/passwd' } },
          ),
          reply('All of it was refused.'),
        ],
      },
      { when: 'which tools', steps: [({ tools }) => reply(tools.map(({ name }) => name).join(' '))] },
    ]),
  ),
);
