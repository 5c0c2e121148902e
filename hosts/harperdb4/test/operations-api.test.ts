import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { EmbeddedHost } from '@harperfast/agent-testkit/host';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AGENT_OPERATIONS } from '../../../e2e/src/support/agent-operations.js';
import { describeOnHarperDb } from './support/accepted.js';
import type { Place } from './support/send.js';
import { open, send } from './support/send.js';
import { startAgent } from './support/start-agent.js';

const BOOT_MS = 240_000;
const PLAIN = { username: 'plain', password: 'not-super-1' };

describeOnHarperDb('the operations API of HarperDB with the agent', () => {
  let host: EmbeddedHost;
  let places: Readonly<Record<'port' | 'domain socket', Place>>;
  beforeAll(async () => {
    host = await startAgent();
    places = {
      port: { port: Number(new URL(host.operationsUrl).port) },
      'domain socket': { socketPath: join(host.root, 'operations-server') },
    };
    await call({ operation: 'add_role', role: 'plain', permission: { super_user: false } });
    await call({ operation: 'add_user', role: 'plain', active: true, ...PLAIN });
  }, BOOT_MS);
  afterAll(() => host?.stop(), BOOT_MS);

  async function call(body: object): Promise<unknown> {
    const answer = await host.operation(body);
    expect(answer).toMatchObject({ status: 200 });
    return answer.body;
  }

  const session = async (message: string): Promise<string> =>
    String(Reflect.get(Object(await call({ operation: 'agent_prompt', message })), 'session_id'));

  /** The status of every agent operation, each as somebody else; 404 and 409 are answers of the agent itself. */
  async function statuses(place: Place, as: { username: string; password: string } | undefined) {
    const found = new Map<string, number | undefined>();
    for (const [operation, fields] of AGENT_OPERATIONS) {
      const { status } = await send(place, { operation, ...fields }, as === undefined ? {} : { as });
      found.set(operation, status === 404 ? 200 : status);
    }
    return [...new Set(found.values())];
  }

  for (const name of ['port', 'domain socket'] as const) {
    it(`lets in a super_user, and nobody else, over the ${name}`, async () => {
      const place = places[name];
      expect(await statuses(place, host.admin)).toEqual([200]);
      expect(await statuses(place, PLAIN)).toEqual([403]);
      expect(await statuses(place, { ...host.admin, password: 'wrong' })).toEqual([401]);
      // HarperDB signs in its admin at the socket: who can open that file may do everything.
      expect(await statuses(place, undefined)).toEqual([name === 'port' ? 401 : 200]);
    });

    it(`answers operations of its own as before, over the ${name}`, async () => {
      const place = places[name];
      const { admin: as } = host;
      const table = `big_${name.replace(' ', '_')}`;
      await call({ operation: 'create_table', database: 'data', table, primary_key: 'id' });
      const records = (bytes: number) => [{ id: String(bytes), text: 'é'.repeat(bytes / 2) }];
      const insert = (bytes: number) => ({
        operation: 'insert',
        database: 'data',
        table,
        records: records(bytes),
      });
      for (const bytes of [100, 100_000, 2_000_000, 6_000_000]) {
        for (const chunked of [false, true]) {
          const body = { ...insert(bytes), operation: 'upsert' };
          expect([bytes, chunked, await send(place, body, { as, chunked })]).toMatchObject([
            bytes,
            chunked,
            { status: 200 },
          ]);
        }
        const query = {
          operation: 'search_by_id',
          database: 'data',
          table,
          ids: [String(bytes)],
          get_attributes: ['*'],
        };
        expect((await send(place, query, { as })).body).toMatchObject(records(bytes));
      }
      const unknown = { status: 400, body: { error: "Operation 'no_such_operation' not found" } };
      expect(await send(place, { operation: 'no_such_operation' }, { as })).toEqual(unknown);
      expect((await send(place, insert(100), { as: PLAIN })).status).toBe(403);
      expect((await send(place, insert(100), { as: { ...as, password: 'wrong' } })).status).toBe(401);
    });

    it(`streams the events of a session, over the ${name}`, async () => {
      const id = await session('hello');
      const body = { operation: 'watch_agent_session', session_id: id };
      const response = await open(places[name], body, { as: host.admin, accept: 'text/event-stream' });
      expect(response.headers['content-type']).toContain('text/event-stream');
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) {
        text += String(chunk);
        if (/^event: end$/m.test(text)) break;
      }
      const kinds = [...text.matchAll(/^event: (\w+)$/gm)].map(([, kind]) => kind);
      expect(kinds.filter((kind) => kind !== 'ping')).toEqual(['prompt', 'round', 'end']);
    });
  }

  it('answers an empty body with 400, with and without a length', async () => {
    for (const chunked of [false, true])
      expect(await send(places.port, undefined, { as: host.admin, chunked })).toMatchObject({ status: 400 });
  });

  it('takes a prompt that comes in pieces, and long ones', async () => {
    const body = { operation: 'agent_prompt', message: `hello ${'x'.repeat(200_000)}` };
    for (const chunked of [false, true])
      expect(await send(places.port, body, { as: host.admin, chunked })).toMatchObject({ status: 200 });
  });

  it('answers errors with the status and the code of the agent', async () => {
    const missing = await host.operation({ operation: 'get_agent_session', session_id: 'ses_none' });
    expect(missing).toMatchObject({
      status: 404,
      body: { code: expect.any(String), error: expect.any(String) },
    });
    const invalid = await host.operation({ operation: 'agent_prompt', mesage: 'hello' });
    expect(invalid).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    await call({ operation: 'alter_user', username: 'hdb_agent', password: 'known-now-1' });
    const own = { as: { username: 'hdb_agent', password: 'known-now-1' } };
    expect(await host.operation({ operation: 'list_agent_sessions' }, own)).toMatchObject({
      status: 403,
      body: { code: 'self_approval' },
    });
  });

  it('goes on with its runs while the workers are replaced, and clients poll on', async () => {
    const id = await session('restart the workers');
    const look = async () => Object(await call({ operation: 'get_agent_session', session_id: id }));
    let current = await look();
    const watched = open(
      places.port,
      { operation: 'watch_agent_session', session_id: id },
      { as: host.admin, accept: 'text/event-stream' },
    );
    for (
      const end = Date.now() + 60_000;
      Date.now() < end && current.status !== 'completed';
      current = await look()
    ) {
      for (const { id: approval } of current.pendingApprovals)
        await call({ operation: 'approve_agent_action', session_id: id, approval_id: approval });
      await delay(100);
    }
    expect(current).toMatchObject({ status: 'completed', stop_reason: 'answered' });
    expect(current.messages.at(-1)).toMatchObject({ content: 'restarted' });
    (await watched).destroy();
    expect(await session('hello again')).toMatch(/^ses_/);
  }, 120_000);
});
