import { z } from 'zod';
import type { Credentials } from '../../host/embedded-host.js';
import type { HarperHostBench } from './bench.js';
import type { HereCode } from './here.js';

const ENOUGH = 100;
const rowsSchema = z.array(z.object({ id: z.tuple([z.string(), z.number()]) }));

/** What a host said before it was killed while it wrote, and what it has after the next start. */
export interface KilledHost {
  /** Numbers of the rows whose put had resolved, and of those that are there. */
  readonly rows: { readonly acknowledged: readonly number[]; readonly found: readonly number[] };
  /** Numbers of the transactions that had resolved, and of their rows in each of two tables. */
  readonly pairs: {
    readonly acknowledged: readonly number[];
    readonly found: readonly [readonly number[], readonly number[]];
  };
  /** A user who was added before. */
  readonly user: Credentials;
}

const killed = new WeakMap<HarperHostBench, Promise<KilledHost>>();

/** Kills the host once, in the midst of writing, and starts it again; all checks look at the same. */
export function killedHost(bench: HarperHostBench): Promise<KilledHost> {
  const known = killed.get(bench) ?? kill(bench);
  killed.set(bench, known);
  return known;
}

async function kill(bench: HarperHostBench): Promise<KilledHost> {
  const user = { username: 'probe_survivor', password: 'still-here-1' };
  await bench.ask({ operation: 'add_user', role: 'super_user', active: true, ...user });
  const rows: number[] = [];
  const pairs: number[] = [];
  let enough = (): void => {};
  const reached = new Promise<void>((resolve) => (enough = resolve));
  const writing = [
    write(
      bench,
      rows,
      () => {},
      async (here) => {
        const table = here.table('probe_acknowledged');
        for (let seq = 0; ; seq++) {
          await table.put(['k', seq], { id: ['k', seq], pad: 'x'.repeat(500) });
          here.say(seq);
        }
      },
    ),
    write(
      bench,
      pairs,
      () => pairs.length >= ENOUGH && enough(),
      async (here) => {
        const [one, two] = [here.table('probe_pair_one'), here.table('probe_pair_two')];
        for (let seq = 0; ; seq++) {
          const context = {};
          await here.transaction(context, async () => {
            await one.put(['k', seq], { id: ['k', seq] }, context);
            await two.put(['k', seq], { id: ['k', seq] }, context);
          });
          here.say(seq);
        }
      },
    ),
  ];
  // Code that ends before it is killed has failed.
  await Promise.race([reached, ...writing]);
  const crashing = bench.crash();
  await Promise.allSettled(writing);
  await crashing;
  return {
    rows: { acknowledged: rows, found: await kept(bench, 'probe_acknowledged') },
    pairs: {
      acknowledged: pairs,
      found: [await kept(bench, 'probe_pair_one'), await kept(bench, 'probe_pair_two')],
    },
    user,
  };
}

/** Runs code that writes for ever and tells of every number it has written; rejects when it ends. */
async function write(
  bench: HarperHostBench,
  heard: number[],
  onHeard: () => void,
  code: HereCode<[]>,
): Promise<void> {
  await bench.listen((said) => {
    heard.push(z.int().parse(said));
    onHeard();
  }, code);
}

/** The numbers of the keys in a table, in order. */
async function kept(bench: HarperHostBench, table: string): Promise<readonly number[]> {
  const ends = [
    ['k', 0],
    ['k', 1e15],
  ];
  const query = { conditions: [{ attribute: 'id', comparator: 'between', value: ends }] };
  const rows = await bench.main(
    (here, name: string, asked: object) => here.rows(here.table(name).search(asked)),
    table,
    query,
  );
  return rowsSchema.parse(rows).map(({ id }) => id[1]);
}
