import { expect } from 'vitest';
import { z } from 'zod';
import type { HarperHostBench } from './bench.js';
import type { HarperHostCheck } from './harper-host-check.js';

const errorSchema = z.object({
  error: z.object({
    statusCode: z.unknown().optional(),
    message: z.unknown().optional(),
    body: z.unknown().optional(),
  }),
});

/** Bodies that fail for a super_user, each for a reason of its own. */
const FAILING: readonly { readonly operation: string; readonly [field: string]: unknown }[] = [
  { operation: 'no_such_operation' },
  { operation: 'add_user', username: 'x', role: 'super_user', active: true },
  { operation: 'add_user', username: 'x', password: 'long-enough-1', role: 'no_such_role', active: true },
];

export const inProcessChecks: readonly HarperHostCheck[] = [
  {
    name: 'runs an operation in process as the user it is given, when its role allows it',
    async run(bench) {
      const { username } = bench.host.admin;
      expect(await run(bench, { operation: 'list_users' }, username, true)).toMatchObject({
        value: expect.arrayContaining([expect.objectContaining({ username })]),
      });
      expect(await run(bench, { operation: 'user_info' }, bench.plain.username, true)).toMatchObject({
        value: { username: bench.plain.username },
      });
    },
  },
  {
    name: 'refuses in process with a 403 what the role of the user does not allow, whoever the body names',
    async run(bench) {
      for (const extra of [{}, { hdb_user: bench.host.admin }, { bypass_auth: true }]) {
        const body = { operation: 'list_users', ...extra };
        expect(await run(bench, body, bench.plain.username, true)).toMatchObject({
          error: { statusCode: 403 },
        });
      }
      const create = { operation: 'create_table', database: 'data', table: 'probe_not', primary_key: 'id' };
      expect(await run(bench, create, bench.plain.username, true)).toMatchObject({
        error: { statusCode: 403 },
      });
      expect(await bench.ask({ operation: 'describe_all' })).not.toHaveProperty('data.probe_not');
    },
  },
  {
    name: 'refuses in process what nobody asks for, where rights are enforced',
    async run(bench) {
      const outcome = errorSchema.safeParse(await run(bench, { operation: 'list_users' }, undefined, true));
      expect(outcome.success).toBe(true);
      expect([400, 401, 403]).toContain(outcome.data?.error.statusCode);
    },
  },
  {
    name: 'runs anything in process without enforcement, for anybody and for nobody',
    async run(bench) {
      for (const username of [undefined, bench.plain.username]) {
        expect(await run(bench, { operation: 'list_users' }, username, false)).toMatchObject({
          value: expect.arrayContaining([expect.objectContaining({ username: bench.plain.username })]),
        });
      }
    },
  },
  {
    name: 'leaves the body of an operation in process as it was given',
    async run(bench) {
      const keys = await bench.main(async ({ server }, username: string) => {
        const body = { operation: 'user_info' };
        await server.operation(body, { user: await server.getUser(username, null, null) }, true);
        return Object.keys(body);
      }, bench.host.admin.username);
      expect(keys).toEqual(['operation']);
    },
  },
  {
    name: 'rejects in process with the statusCode that the operations API answers, and says why in words',
    async run(bench) {
      for (const body of FAILING) {
        const answer = await bench.send(body);
        const outcome = await run(bench, body, bench.host.admin.username, true);
        const { error } = errorSchema.parse(outcome);
        expect([body, error.statusCode]).toEqual([body, answer.status]);
        expect([error.message, error.body].some((text) => typeof text === 'string' && text !== '')).toBe(
          true,
        );
      }
    },
  },
  {
    name: 'adds a role in process',
    async run(bench) {
      const body = { operation: 'add_role', role: 'probe_own_role', permission: { super_user: true } };
      expect(await run(bench, body, undefined, false)).toHaveProperty('value');
      const roles = await bench.ask({ operation: 'list_roles' });
      expect(roles).toContainEqual(expect.objectContaining({ role: 'probe_own_role' }));
    },
  },
];

/** Runs one operation on the main thread and resolves with how it ended. */
function run(
  bench: HarperHostBench,
  body: object,
  username: string | undefined,
  authorize: boolean,
): Promise<unknown> {
  return bench.main(
    async ({ server, attempt }, given: object, name: string | null, enforced: boolean) => {
      const context = name === null ? {} : { user: await server.getUser(name, null, null) };
      return attempt(() => server.operation({ ...given }, context, enforced));
    },
    body,
    username ?? null,
    authorize,
  );
}
