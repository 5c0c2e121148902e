import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Item } from './item.js';
import { callsOf } from '../support/session-answer.js';
import { withAgentHost } from '../support/with-agent-host.js';

/** V3: the file appears through the file tools; after the workers reload, `GET /Hello` answers `hi`. */
export const v3: Item = {
  name: 'V3',
  run: (verification) =>
    withAgentHost(
      verification,
      { model: new URL('../models/v3-model.mjs', import.meta.url) },
      async (host, api) => {
        assert.equal(
          (await host.fetchApp('/Hello')).status,
          404,
          'there is a Hello before anything was asked',
        );
        const { session_id } = await api.prompt("create a Resource called Hello that returns 'hi'");
        const { session, asked } = await api.approveToTheEnd(session_id);
        assert.equal(session.status, 'completed', JSON.stringify(session.lastError));
        assert.deepEqual(
          callsOf(session).map(({ name, outcome }) => `${name} ${outcome}`),
          ['write_file ok', 'write_file ok', 'restart_service ok'],
        );
        assert.deepEqual(
          asked,
          ['restart_service'],
          'replacing the workers has to ask, writing a file has not',
        );
        const file = await readFile(join(host.componentsRoot, 'hello', 'resources.js'), 'utf8');
        const response = await host.fetchApp('/Hello', { headers: { accept: 'text/plain' } });
        const body = await response.text();
        assert.deepEqual([response.status, body], [200, 'hi']);
        return `components/hello/resources.js (${Buffer.byteLength(file)} bytes) written, restart_service approved, GET /Hello answers 200 '${body}'`;
      },
    ),
};
