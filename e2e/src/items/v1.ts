import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import type { Item } from './item.js';
import { AGENT_OPERATIONS } from '../support/agent-operations.js';
import { pollUntil } from '../support/poll-until.js';
import { withAgentHost } from '../support/with-agent-host.js';

const READY = 'Agent component initialized';

/** V1: the log line appears; with `enabled: false` nothing happens. */
export const v1: Item = {
  name: 'V1',
  async run(verification) {
    const line = await withAgentHost(verification, {}, async (host, api) => {
      await api.list();
      const log = await pollUntil(
        () => readFile(host.logPath, 'utf8'),
        (text) => text.includes(READY),
      );
      return log.split('\n').find((text) => text.includes(READY)) ?? '';
    });

    await withAgentHost(verification, { agent: { enabled: false } }, async (host, api) => {
      const unknown = await api.send('no_such_operation');
      for (const [name, fields] of AGENT_OPERATIONS) {
        const { status, body } = await api.send(name, fields);
        assert.equal(status, unknown.status, `${name} answers ${status} while the agent is off`);
        assert.equal(
          JSON.stringify(body).replaceAll(name, 'no_such_operation'),
          JSON.stringify(unknown.body),
        );
      }
      const tables = JSON.stringify(await api.call('describe_database', { database: 'system' }));
      assert.ok(!tables.includes('hdb_agent'), `there are agent tables while the agent is off: ${tables}`);
      const users = JSON.stringify(await api.call('list_users'));
      assert.ok(!users.includes('hdb_agent'), 'there is an agent user while the agent is off');
      const log = await readFile(host.logPath, 'utf8');
      assert.ok(!log.includes(READY), 'the log says that the agent is up while it is off');
    });
    return `log line '${line.slice(line.indexOf(READY)).slice(0, 70)}…'; with enabled: false its operations are unknown (400), no tables, no user, no line`;
  },
};
