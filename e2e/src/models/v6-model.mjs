import { ScriptedModel, calls, registerScript, reply, scriptByPrompt } from '@harperfast/agent-testkit';
import { lastResults } from './read-results.mjs';

const schedule = (given) => ({
  name: 'schedule_followup',
  arguments: { prompt: 'check the cluster', ...given },
});

/** Which followup this is, counted in the transcript: so the script goes on where it was after a restart. */
const followups = ({ messages }) =>
  messages.filter(({ role, content }) => role === 'user' && content.startsWith('[Followup ')).length;

/** The third look finds a node down. */
const judge = (request) => {
  if (!lastResults(request)[0]?.includes('node')) throw new Error('cluster_status answered nothing of use');
  if (followups(request) !== 3) return reply('all nodes are up');
  return calls({
    name: 'alert_operator',
    arguments: { level: 'critical', message: 'Node 3 does not answer: look at it' },
  });
};

export const register = registerScript(
  new ScriptedModel(
    scriptByPrompt([
      {
        when: 'check the cluster',
        steps: [calls({ name: 'cluster_status', arguments: {} }), judge, reply('the operator knows')],
      },
      {
        when: 'every 5 minutes for the next hour',
        steps: [calls(schedule({ every: '5m', until: '1h' })), reply('I will')],
      },
      { when: 'every second', steps: [calls(schedule({ every: '1s', times: 9 })), reply('I will')] },
      {
        when: 'what came of it',
        steps: [
          calls({ name: 'list_followups', arguments: {} }),
          (request) => reply(lastResults(request)[0] ?? ''),
        ],
      },
    ]),
  ),
);
