import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import type { Item } from './item.js';
import { answerOf, callsOf } from '../support/session-answer.js';
import { withAgentHost } from '../support/with-agent-host.js';

const FOO = `export class Foo extends Resource {
  async post(_target, body) {
    let total = 0;
    for (const item of body.items) total += item.price;
    return { total };
  }
  get() {
    return 'alive';
  }
  static loadAsInstance = false;
}
`;

/** V5: the root cause of a failing Resource is found through the inspector, while other requests are answered. */
export const v5: Item = {
  name: 'V5',
  run: (verification) =>
    withAgentHost(
      verification,
      {
        model: new URL('../models/v5-model.mjs', import.meta.url),
        workers: 2,
        agent: { tools: ['inspector'] },
      },
      async (host, api) => {
        await deploy(host);
        const served = serveMeanwhile(host);
        const { session_id } = await api.prompt('find why the Foo resource throws on POST');
        const session = await api.untilEnded(session_id);
        const answered = await served.stop();
        assert.equal(session.status, 'completed', JSON.stringify(session.lastError));
        assert.match(answerOf(session), /foo\/resources\.js:4 .*itmes/);
        const inspected = callsOf(session).filter(({ name }) => name.startsWith('inspector_'));
        assert.deepEqual(
          inspected.map(({ name, outcome }) => [name, outcome]),
          [
            ['inspector_catch_exceptions', 'ok'],
            ['inspector_read_hits', 'ok'],
            ['inspector_snapshot', 'ok'],
            ['inspector_read_hits', 'ok'],
          ],
        );
        assert.equal(session.entries.filter(({ kind }) => kind === 'ask').length, 0);
        return `the throwing line, its variables and the misspelt key, without an approval; ${answered} other requests were answered meanwhile`;
      },
    ),
};

async function deploy(host: EmbeddedHost): Promise<void> {
  const folder = join(host.componentsRoot, 'foo');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'config.yaml'), 'rest: true\njsResource:\n  files: resources.js\n');
  await writeFile(join(folder, 'resources.js'), FOO);
  const { status } = await host.operation({ operation: 'restart_service', service: 'http_workers' });
  assert.equal(status, 200);
}

/** Asks for something else again and again; `stop` resolves with how often, and rejects when one was not answered. */
function serveMeanwhile(host: EmbeddedHost): { stop(): Promise<number> } {
  let going = true;
  const run = async (): Promise<number> => {
    let count = 0;
    while (going) {
      const response = await host.fetchApp('/Foo', { signal: AbortSignal.timeout(2000) });
      assert.equal(response.status, 200);
      await response.text();
      count += 1;
    }
    return count;
  };
  const running = run();
  running.catch(() => undefined);
  return {
    stop() {
      going = false;
      return running;
    },
  };
}
