import { expect } from 'vitest';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';

export const registeredOperationChecks: readonly HarperHostCheck[] = [
  {
    name: 'serves an operation that a component registers, to a super_user alone where it says so',
    async run(bench) {
      await register(bench, 'probe_registered');
      const body = { operation: 'probe_registered', colour: 'red' };
      const answers = await Promise.all([
        bench.send(body),
        bench.send(body, { as: bench.plain }),
        bench.send(body, { as: { ...bench.host.admin, password: 'wrong' } }),
        bench.send(body, { as: 'nobody' }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 403, 401, 401]);
    },
  },
  {
    name: 'hands a registered operation its body and who signed in, whatever the body says of that',
    async run(bench) {
      await register(bench, 'probe_echoing');
      const body = { operation: 'probe_echoing', colour: 'red', hdb_user: { username: 'somebody else' } };
      expect(await bench.send(body)).toMatchObject({
        status: 200,
        body: { operation: 'probe_echoing', colour: 'red', user: bench.host.admin.username },
      });
    },
  },
  {
    name: 'answers what a registered operation throws with its statusCode, and its message as the error',
    async run(bench) {
      await register(bench, 'probe_throwing');
      const body = { operation: 'probe_throwing', fails: { statusCode: 418, message: 'no coffee here' } };
      expect(await bench.send(body)).toEqual({ status: 418, body: { error: 'no coffee here' } });
    },
  },
  {
    name: 'answers the object that the error of a registered operation has as http_resp_msg, and nothing around it',
    async run(bench) {
      await register(bench, 'probe_telling');
      const told = { error: 'no coffee here', code: 'teapot' };
      const fails = { statusCode: 409, message: 'not for clients', http_resp_msg: told };
      expect(await bench.send({ operation: 'probe_telling', fails })).toEqual({ status: 409, body: told });
    },
  },
  {
    name: 'runs a registered operation in process, with and without enforcement',
    async run(bench) {
      await register(bench, 'probe_inner');
      const outcomes = await bench.main(async ({ server, attempt }, plain: string) => {
        const user = await server.getUser(plain, null, null);
        const body = { operation: 'probe_inner' };
        return [
          await attempt(() => server.operation({ ...body }, { user }, true)),
          await attempt(() => server.operation({ ...body }, { user }, false)),
        ];
      }, bench.plain.username);
      expect(outcomes).toMatchObject([
        { error: { statusCode: 403 } },
        { value: { operation: 'probe_inner', user: bench.plain.username } },
      ]);
    },
  },
];

/** Has the probe register an operation that answers its body and its user, or fails as the body says. */
async function register(bench: HarperHostBench, name: string): Promise<void> {
  const registered = await bench.main(
    ({ server, attempt }, operation: string) =>
      attempt(() =>
        server.registerOperation({
          name: operation,
          requiresSuperUser: true,
          async execute(body: {
            readonly fails?: { readonly statusCode: number; readonly message: string };
            readonly hdb_user?: { readonly username: string };
          }) {
            const { fails, hdb_user: user, ...rest } = body;
            if (fails !== undefined) throw Object.assign(new Error(fails.message), fails);
            return { ...rest, user: user?.username };
          },
        }),
      ),
    name,
  );
  expect(registered, 'what registerOperation did').toEqual({ value: null });
}
