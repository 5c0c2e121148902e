import assert from 'node:assert/strict';
import type { Item } from './item.js';
import { callsOf } from '../support/session-answer.js';
import { withAgentHost } from '../support/with-agent-host.js';

/** V4: write, fetch, see the failure, fix, fetch again. */
export const v4: Item = {
  name: 'V4',
  run: (verification) =>
    withAgentHost(
      verification,
      { model: new URL('../models/v4-model.mjs', import.meta.url) },
      async (host, api) => {
        const { session_id } = await api.prompt(
          'build Total, call it on localhost, debug any failure, repeat until it works',
        );
        const { session, asked } = await api.approveToTheEnd(session_id);
        assert.equal(session.status, 'completed', JSON.stringify(session.lastError));
        const seen = callsOf(session);
        assert.deepEqual(
          seen.map(({ name }) => name),
          [
            'write_file',
            'restart_service',
            'http_fetch',
            'read_file',
            'write_file',
            'restart_service',
            'http_fetch',
          ],
        );
        assert.deepEqual(asked, ['restart_service', 'restart_service']);
        const [failed, worked] = seen.filter(({ name }) => name === 'http_fetch');
        assert.match(failed?.text ?? '', /500[\s\S]*prices\.sum is not a function/);
        assert.match(worked?.text ?? '', /200[\s\S]*7/);
        const response = await host.fetchApp('/Total', { headers: { accept: 'text/plain' } });
        assert.deepEqual([response.status, await response.text()], [200, '7']);
        return "first fetch 500 'prices.sum is not a function', file read and fixed, second fetch 200 '7'";
      },
    ),
};
