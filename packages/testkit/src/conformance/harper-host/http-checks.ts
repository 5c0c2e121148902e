import { expect } from 'vitest';
import { z } from 'zod';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';
import type { OperationsPlace } from './send-operation.js';

const LARGE = 2_000_000;

export const httpChecks: readonly HarperHostCheck[] = [
  {
    name: 'answers a super_user with 200, a role that does not reach with 403, a wrong password and none with 401',
    async run(bench) {
      const body = { operation: 'list_users' };
      const { admin } = bench.host;
      const answers = await Promise.all([
        bench.send(body),
        bench.send(body, { as: bench.plain }),
        bench.send(body, { as: { ...admin, password: 'wrong' } }),
        bench.send(body, { as: { username: 'nobody-here', password: admin.password } }),
        bench.send(body, { as: 'nobody' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 401, 401, 401]);
      for (const { body: answered } of answers.slice(1)) expect(answered).toEqual(withError());
    },
  },
  {
    name: 'answers an operation that is not there with 400, and names it',
    async run(bench) {
      expect(await bench.send({ operation: 'no_such_operation' })).toEqual({
        status: 400,
        body: { error: expect.stringContaining('no_such_operation') },
      });
    },
  },
  {
    name: 'answers a body that is no JSON, no object or names no operation with 400',
    async run(bench) {
      for (const body of ['{', '{"operation":', '[]', '"text"', 'null', '{}']) {
        expect([body, await bench.send(body)]).toEqual([body, { status: 400, body: withError() }]);
      }
      expect(await bench.send({ operation: 'describe_all' })).toMatchObject({ status: 200 });
    },
  },
  {
    name: 'answers an empty body with 400',
    async run(bench) {
      const answer = await bench.send('', { withinMs: 5_000 }).catch((error: unknown) => error);
      expect(answer).toMatchObject({ status: 400 });
    },
  },
  {
    name: 'takes a body of two million characters',
    async run(bench) {
      const target = { database: 'data', table: 'probe_large' };
      await bench.ask({ operation: 'create_table', ...target, primary_key: 'id' });
      const text = 'é'.repeat(LARGE);
      await bench.ask({ operation: 'upsert', ...target, records: [{ id: 'a', text }] });
      const found = await bench.ask({
        operation: 'search_by_id',
        ...target,
        ids: ['a'],
        get_attributes: ['*'],
      });
      const [row] = z.array(z.looseObject({ text: z.string() })).parse(found);
      expect(row?.text === text, 'the text as it was').toBe(true);
    },
  },
  {
    name: 'answers what is no object as its message',
    async run(bench) {
      const body = { operation: 'create_table', database: 'data', table: 'probe_told', primary_key: 'id' };
      expect(await bench.ask(body)).toEqual({ message: expect.stringContaining('probe_told') });
    },
  },
  {
    name: 'gives tokens, and takes them for who got them',
    async run(bench) {
      const { username, password } = bench.plain;
      const body = { operation: 'create_authentication_tokens', username, password };
      const { operation_token: token } = z
        .looseObject({ operation_token: z.string() })
        .parse(await bench.ask(body));
      expect(await bench.send({ operation: 'user_info' }, { as: { token } })).toMatchObject({
        status: 200,
        body: { username },
      });
      expect(await bench.send({ operation: 'list_users' }, { as: { token } })).toMatchObject({ status: 403 });
      expect(await bench.send({ operation: 'user_info' }, { as: { token: 'no.such.token' } })).toMatchObject({
        status: 401,
      });
    },
  },
  {
    name: 'serves the operations API at a socket below its root, too, where who can open it needs no password',
    async run(bench) {
      const place = await socketOf(bench);
      const body = { operation: 'list_users' };
      const statuses = [];
      for (const as of [bench.host.admin, 'nobody', bench.plain] as const)
        statuses.push((await bench.send(body, { place, as })).status);
      expect(statuses).toEqual([200, 200, 403]);
      const wrong = { ...bench.host.admin, password: 'wrong' };
      expect(await bench.send(body, { place, as: wrong })).toMatchObject({ status: 401 });
    },
  },
];

function withError(): unknown {
  return expect.objectContaining({ error: expect.any(String) });
}

/** As the configuration says where it is. */
async function socketOf(bench: HarperHostBench): Promise<OperationsPlace> {
  const config = await bench.main(({ server }) => server.config);
  const found = z
    .object({ operationsApi: z.object({ network: z.object({ domainSocket: z.string() }) }) })
    .safeParse(config);
  expect(found.error?.message, 'operationsApi.network.domainSocket of server.config').toBeUndefined();
  return { socketPath: found.data?.operationsApi.network.domainSocket ?? '' };
}
