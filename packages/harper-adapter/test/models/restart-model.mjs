import { ScriptedModel, calls, registerScript, reply, scriptByTranscript } from '@harperfast/agent-testkit';

const results = (request) =>
  request.messages.flatMap(({ role, content }) => (role === 'tool' ? [content] : []));

/** Asks for a restart of the server and, when that is done, says so. */
export const register = registerScript(
  new ScriptedModel(
    scriptByTranscript([
      calls({ name: 'restart', arguments: {} }),
      (request) =>
        reply(
          results(request).some((text) => text.includes('restarted')) ? 'It is up again.' : 'No restart.',
        ),
    ]),
  ),
);
