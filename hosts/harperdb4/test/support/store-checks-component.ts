// A component for HarperDB's main thread: runs one check of a conformance suite on a store over HarperDB's own tables.
import type { Check, CheckGroup } from '@harperfast/agent-testkit/conformance';
import { followupStoreChecks, sessionStoreChecks } from '@harperfast/agent-testkit/conformance';
import { z } from 'zod';
import { openFollowupStore } from '../../../../packages/harper-adapter/src/store/open-followup-store.js';
import { openTableStore } from '../../../../packages/harper-adapter/src/store/open-table-store.js';
import type { HarperHost } from '../../../../packages/harper-adapter/src/host.js';

type Host = Pick<HarperHost, 'ensureTable' | 'transaction' | 'logger'>;

const fn = <Fn>() => z.custom<Fn>((value) => typeof value === 'function');
const optionsSchema = z.looseObject({
  ensureTable: fn<HarperHost['ensureTable']>(),
  server: z.custom<{ registerOperation(definition: object): void }>((value) => typeof value === 'object'),
});
const bodySchema = z.looseObject({
  suite: z.enum(['sessions', 'followups']),
  group: z.string(),
  name: z.string(),
});
const transaction = fn<(context: object, work: () => Promise<unknown>) => Promise<unknown>>();

const TABLES = ['hdb_agent_session', 'hdb_agent_item', 'hdb_agent_followup'];
const plain = { redact: (text: string) => text, redactOutput: (text: string) => text };
const silent = { debug() {}, info() {}, warn() {}, error() {} };

export function startOnMainThread(options: unknown): void {
  const { ensureTable, server } = optionsSchema.parse(options);
  const host: Host = {
    ensureTable: (definition) => ensureTable(definition),
    logger: silent,
    async transaction<Result>(work: (context: object) => Promise<Result>): Promise<Result> {
      const results: Result[] = [];
      const context = {};
      await transaction.parse(Reflect.get(globalThis, 'transaction'))(context, async () => {
        results.push(await work(context));
      });
      const [result] = results;
      if (result === undefined && results.length === 0) throw new Error('The transaction did not run');
      return result as Result;
    },
  };
  server.registerOperation({
    name: 'run_store_check',
    requiresSuperUser: true,
    async execute(body: unknown) {
      const { suite, ...which } = bodySchema.parse(body);
      await clear(ensureTable);
      return suite === 'sessions' ? checkSessions(host, which) : checkFollowups(host, which);
    },
  });
}

interface Which {
  readonly group: string;
  readonly name: string;
}

function checkSessions(host: Host, which: Which): Promise<object> {
  const open = () => openTableStore(host, plain);
  return run(sessionStoreChecks, which, async () => ({
    store: await open(),
    reopen: open,
    close: async () => {},
  }));
}

function checkFollowups(host: Host, which: Which): Promise<object> {
  const open = async () => openFollowupStore(host, plain);
  return run(followupStoreChecks, which, async () => ({
    store: await open(),
    reopen: open,
    close: async () => {},
  }));
}

async function run<Subject>(
  groups: readonly CheckGroup<Subject>[],
  { group, name }: Which,
  open: () => Promise<Subject>,
): Promise<object> {
  const check: Check<Subject> | undefined = groups
    .find(({ title }) => title === group)
    ?.checks.find((one) => one.name === name);
  if (check === undefined) throw new Error(`There is no check '${group}: ${name}'`);
  try {
    const subject = await open();
    if (check.applies?.(subject) === false) return { outcome: 'skipped' };
    await check.run(subject);
    return { outcome: 'passed' };
  } catch (error) {
    return {
      outcome: 'failed',
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
}

/** Every check begins with empty tables. */
async function clear(ensureTable: HarperHost['ensureTable']): Promise<void> {
  for (const name of TABLES) {
    const table: unknown = Reflect.get(
      Object(Reflect.get(Object(Reflect.get(globalThis, 'databases')), 'system')),
      name,
    );
    if (table === undefined) continue;
    const opened = table as ReturnType<typeof ensureTable>;
    const keys: (string | number)[] = [];
    for await (const row of await opened.search({ conditions: [] })) {
      keys.push(Reflect.get(Object(row), KEYS[name] ?? 'id'));
    }
    for (const key of keys) await opened.delete(key);
  }
}

const KEYS: Readonly<Record<string, string>> = { hdb_agent_session: 'session_id' };
