import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { harperHostChecks } from '../../src/conformance/describe-harper-host.js';
import { HarperHostBench } from '../../src/conformance/harper-host/bench.js';
import {
  runHarperHostCheck,
  type HarperHostCheck,
} from '../../src/conformance/harper-host/harper-host-check.js';
import { startEmbedded } from './start-embedded.js';

/** What each line spoils in a host, and the check that has to notice. */
const FAULTS: readonly (readonly [fault: string, noticedBy: string, code: string])[] = [
  [
    'hands out passwords with its users',
    'gives a user with the role as it is, and never a password',
    `const { getUser } = server;
     server.getUser = async (...args) => ({ ...(await getUser(...args)), password: 'hash' });`,
  ],
  [
    'writes into the bodies of operations',
    'leaves the body of an operation in process as it was given',
    `server.operation = (body, context, authorize) => {
       body.bypass_auth = !authorize;
       return operation(body, context, authorize);
     };`,
  ],
  [
    'believes the user a body names',
    'refuses in process with a 403 what the role of the user does not allow, whoever the body names',
    `const careful = server.operation;
     server.operation = (body, context, authorize) => careful(body, context, authorize && body.hdb_user === undefined);`,
  ],
  [
    'adds users that are there once more',
    'refuses a user who is there with 409, an unknown role with 404, and none without a password',
    `const strict = server.operation;
     server.operation = (...args) => strict(...args).catch((error) => {
       if (error.statusCode !== 409) throw error;
       return { message: 'fine' };
     });`,
  ],
  [
    'forgets what the second table of a transaction was given',
    'commits all writes that are handed the context of a transaction, over several tables, when its work resolves',
    `spoilTable('probe_committed_two', (table) => ({ put: async () => undefined }));`,
  ],
  [
    'mixes lists with names that are alike',
    'never gives rows of another list in a range, however alike their names are',
    `spoilTable('probe_apart', (table) => ({ search: () => table.search({}) }));`,
  ],
  [
    'orders list keys as text',
    'keeps rows with list keys in the order of their numbers, and finds each by its key',
    `spoilTable('probe_ordered', (table) => ({
       async *search(query) {
         const rows = [];
         for await (const row of table.search(query)) rows.push(row);
         yield* rows.sort((left, right) => (String(left.id[1]) < String(right.id[1]) ? -1 : 1));
       },
     }));`,
  ],
  [
    'creates over what is there',
    'refuses to create what is there, and keeps that',
    `spoilTable('probe_created', (table) => ({ create: (record) => table.put(record) }));`,
  ],
  [
    'gives records that are the stored ones',
    'is not changed by who changes a record it gave',
    `const rows = new Map();
     spoilTable('probe_unchanged', () => ({
       put: async (id, row) => void rows.set(id, row),
       get: async (id) => rows.get(id),
     }));`,
  ],
  [
    'tells of a wrong root',
    'says in server.config where its root, its components and its log are, in every thread',
    `server.config.rootPath = '/somewhere/else';`,
  ],
  [
    'tags no line of its log',
    'writes each line of its log as time, thread, level, tags and message, on all threads',
    `logger.withTag = () => logger;`,
  ],
];

/** A component that is started before the probe. A table is spoiled for good: every caller gets the same one. */
const SPOILER = `export function startOnMainThread({ server, ensureTable }) {
  const { operation } = server;
  const spoilTable = (name, spoil) => {
    const attributes = [{ name: 'id', isPrimaryKey: true }];
    const table = ensureTable({ table: name, database: 'system', audit: false, replicate: false, attributes });
    const sound = Object.fromEntries(
      ['search', 'put', 'get', 'create'].map((method) => [method, table[method].bind(table)]),
    );
    Object.assign(table, spoil(sound));
  };
  ${FAULTS.map(([, , code]) => `{ ${code} }`).join('\n')}
}
`;

describe('describeHarperHost', () => {
  let bench: HarperHostBench;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spoiled-host-'));
    const spoiler = join(folder, 'spoiler.mjs');
    await writeFile(spoiler, SPOILER);
    bench = await HarperHostBench.open((setup) => startEmbedded(setup, { spoiler }));
  });
  afterAll(async () => {
    await bench?.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(FAULTS)('notices a host that %s', async (_fault, noticedBy) => {
    const check = harperHostChecks.flatMap(({ checks }) => checks).find(({ name }) => name === noticedBy);
    if (check === undefined) throw new Error(`There is no check '${noticedBy}'`);
    await expect(runHarperHostCheck(check, bench)).rejects.toMatchObject({ name: 'AssertionError' });
    await runHarperHostCheck(check, bench, 'it is spoiled');
  });

  describe('with a check that is listed as a difference', () => {
    const checking = (run: HarperHostCheck['run'], more: Partial<HarperHostCheck> = {}): Promise<void> =>
      runHarperHostCheck({ name: 'does it', run, ...more }, bench, 'it is older');

    it('is content where the host does something else', async () => {
      await expect(checking(async () => expect(1).toBe(2))).resolves.toBeUndefined();
    });

    it('complains where the host does it after all', async () => {
      await expect(checking(async () => {})).rejects.toThrow('This host does: does it. Take it off');
    });

    it('complains where it could not be checked', async () => {
      const broken = new Error('the connection broke');
      await expect(checking(() => Promise.reject(broken))).rejects.toBe(broken);
      const never = (): Promise<void> => new Promise(() => {});
      await expect(checking(never, { deadlineMs: 10 })).rejects.toThrow('Not over after 10 ms: does it');
    });
  });
});
