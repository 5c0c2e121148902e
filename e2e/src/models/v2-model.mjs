import { ScriptedModel, calls, registerScript, reply, scriptByTranscript } from '@harperfast/agent-testkit';
import { lastResults } from './read-results.mjs';

export const register = registerScript(
  new ScriptedModel(
    scriptByTranscript([
      calls({ name: 'describe_all', arguments: {} }),
      (request) => {
        const [schema = ''] = lastResults(request);
        return reply(
          schema.includes('"dog"')
            ? 'There is a table dog in the database data.'
            : `No table dog in ${schema}`,
        );
      },
    ]),
  ),
);
