import { ScriptedModel, calls, registerScript, reply, scriptByTranscript } from '@harperfast/agent-testkit';

export const register = registerScript(
  new ScriptedModel(
    scriptByTranscript([
      calls(
        { name: 'read_file', arguments: { path: '/etc/passwd' } },
        { name: 'read_file', arguments: { path: '../../../../../../../../etc/passwd' } },
        { name: 'read_file', arguments: { root: 'logs', path: '/etc/passwd' } },
      ),
      reply('All of it was refused.'),
    ]),
  ),
);
