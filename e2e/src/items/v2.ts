import assert from 'node:assert/strict';
import type { Item } from './item.js';
import { answerOf, callsOf } from '../support/session-answer.js';
import { withAgentHost } from '../support/with-agent-host.js';

/** V2: "describe the system schema" shows `describe_all` called and an answer. */
export const v2: Item = {
  name: 'V2',
  run: (verification) =>
    withAgentHost(
      verification,
      { model: new URL('../models/v2-model.mjs', import.meta.url) },
      async (_host, api) => {
        await api.call('create_table', { database: 'data', table: 'dog', primary_key: 'id' });
        const { session_id } = await api.prompt('describe the system schema');
        const session = await api.untilEnded(session_id);
        assert.equal(session.status, 'completed', JSON.stringify(session.lastError));
        const [call, ...others] = callsOf(session);
        assert.deepEqual([call?.name, call?.outcome, others.length], ['describe_all', 'ok', 0]);
        assert.match(call?.text ?? '', /"dog"/, 'the schema the model read does not show the table dog');
        assert.equal(answerOf(session), 'There is a table dog in the database data.');
        return `describe_all called (${call?.text.length} characters), answer '${answerOf(session)}'`;
      },
    ),
};
