import type { Values } from '../engine/child-process.js';
import { medians } from '../engine/medians.js';
import { prepare } from '../engine/prepare.js';
import type { Report, Row } from '../report.js';
import { atMost } from '../report.js';
import { type Contender, HOSTILE, LITERAL, LOG, MIDDLE, REGEX, TAIL, openContenders } from './contenders.js';
import { prepareFixtures } from './fixtures.js';
import { FULL_FS_SCALE, QUICK_FS_SCALE } from './scale.js';

/** Searching and reading beside the programs made for it, and beside the file server agents commonly use. */
export async function measureFs(options: {
  readonly quick: boolean;
  /** Part of the titles of the tables to measure. */
  readonly only: string;
  readonly say: (line: string) => void;
}): Promise<Report> {
  const { quick, only, say } = options;
  const isMeasured = (table: string): boolean => table.includes(only);
  const scale = quick ? QUICK_FS_SCALE : FULL_FS_SCALE;
  await prepare(say);
  const { contenders: all, close } = await openContenders(await prepareFixtures(scale, say), scale);
  const contenders = all.filter(({ table }) => isMeasured(table));
  const samples = new Map<Contender, Values[]>(contenders.map((contender) => [contender, []]));
  const out = new Set<Contender>();
  try {
    // The first round is not counted: threads start, code is compiled, files get into the cache.
    for (let sample = 0; sample <= scale.samples; sample++) {
      say(sample === 0 ? 'warming up' : `sample ${sample} of ${scale.samples}`);
      for (const contender of contenders) {
        if (out.has(contender)) continue;
        const values = await contender.run().catch((error: unknown) => {
          if (contender.name === 'ours') throw error;
          say(`${contender.name}: ${contender.table}: no answer (${String(error).slice(0, 200)})`);
          out.add(contender);
        });
        if (values !== undefined && sample > 0) samples.get(contender)?.push(values);
      }
    }
  } finally {
    close();
  }

  const valueOf = (table: string, name: string, value: string): number => {
    const contender = contenders.find((one) => one.table === table && one.name === name);
    return (contender && medians(samples.get(contender) ?? [])[value]) ?? Number.NaN;
  };
  const ratio = (table: string, other: string): number =>
    valueOf(table, 'ours', 'ms') / valueOf(table, other, 'ms');
  return {
    rows: contenders.map((contender) => rowOf(contender, samples.get(contender) ?? [])),
    goals: [
      ...[LITERAL, REGEX, LOG]
        .filter(isMeasured)
        .map((table) => atMost(`${table}: ours ÷ ripgrep`, ratio(table, 'ripgrep'), 2)),
      ...[LITERAL, REGEX, LOG, HOSTILE]
        .filter(isMeasured)
        .map((table) => atMost(`${table}: loop delay p99 ms`, valueOf(table, 'ours', 'p99'), 20)),
      ...[TAIL, MIDDLE]
        .filter(isMeasured)
        .flatMap((table) => [
          atMost(`${table}: ours ÷ floor`, ratio(table, 'floor: 64 KB blocks'), 1.5),
          atMost(`${table}: MB of RSS more`, valueOf(table, 'ours', 'rss'), 16),
        ]),
    ],
  };
}

function rowOf({ table, name, durability = '' }: Contender, samples: readonly Values[]): Row {
  const { ms, found, p99, rss } = medians(samples);
  return {
    table,
    name,
    durability,
    values: { ms, 'lines found': found, 'loop delay p99 ms': p99, 'RSS MB more': rss },
  };
}
