import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Row } from '../report.js';
import { growthExponent } from '../statistics.js';
import type { MeasuredProcess, Values } from './child-process.js';
import { startContender } from './child-process.js';
import type { EntrantId } from './contenders.js';
import { entrants } from './contenders.js';
import { withDataFolder } from './data-folder.js';
import { medians } from './medians.js';
import type { Scale } from './scale.js';

const measured: readonly EntrantId[] = [
  'floorMemory',
  'engineMemory',
  'aiSdkMemory',
  'langgraphMemory',
  'openaiMemory',
  'floorNormal',
  'engineNormal',
  'aiSdk',
  'langgraph',
  'openai',
  'floorFull',
  'engineFull',
  'engineLmdb',
];

/** Code that has run a few times only says nothing about a server's later turns: it is not compiled yet. */
const WARM_UP_TURNS = 200;

/** What sessions of several lengths cost, by entrant and length. */
export interface TurnCosts {
  readonly rows: readonly Row[];
  micros(id: EntrantId, turns: number): number;
  timeExponent(id: EntrantId): number;
  bytesExponent(id: EntrantId): number;
}

/** Sessions one at a time, each entrant in one process for all its samples, in turns with the others. */
export async function measureTurnCost(scale: Scale, say: (line: string) => void): Promise<TurnCosts> {
  const samples = new Map<string, Values[]>();
  const lengths = [...new Set([...scale.turns, ...scale.growth.floor, ...scale.growth.peers])].toSorted(
    (a, b) => a - b,
  );

  await withDataFolder(async (folder) => {
    const processes = new Map<EntrantId, MeasuredProcess>();
    try {
      for (const id of measured) processes.set(id, await warmedUp(id, join(folder, id), scale));
      for (let sample = 1; sample <= scale.samples; sample++) {
        say(`one session: sample ${sample} of ${scale.samples}`);
        for (const turns of lengths) {
          for (const [id, child] of processes) {
            if (!wantedLengths(id, scale).includes(turns)) continue;
            const key = keyOf(id, turns);
            samples.set(key, [...(samples.get(key) ?? []), await child.measure({ name: 'turns', turns })]);
          }
        }
      }
    } finally {
      for (const child of processes.values()) await child.end();
    }
  });

  const valueOf = (id: EntrantId, turns: number, name: string): number | undefined =>
    medians(samples.get(keyOf(id, turns)) ?? [])[name];
  const exponent = (id: EntrantId, name: string, perTurn: boolean): number =>
    growthExponent(
      growthLengths(id, scale).map((turns) => ({
        x: turns,
        y: (valueOf(id, turns, name) ?? Number.NaN) * (perTurn ? turns : 1),
      })),
    );
  const costs = {
    micros: (id: EntrantId, turns: number) => valueOf(id, turns, 'microsPerTurn') ?? Number.NaN,
    timeExponent: (id: EntrantId) => exponent(id, 'microsPerTurn', true),
    bytesExponent: (id: EntrantId) => exponent(id, 'bytesWritten', false),
  };
  return { ...costs, rows: rowsOf(costs, valueOf, scale) };
}

async function warmedUp(id: EntrantId, folder: string, scale: Scale): Promise<MeasuredProcess> {
  await mkdir(folder);
  const { file, variant } = entrants[id];
  const child = startContender(file, variant, folder);
  const until = performance.now() + scale.warmUpMs;
  do await child.measure({ name: 'turns', turns: WARM_UP_TURNS });
  while (performance.now() < until);
  return child;
}

function growthLengths(id: EntrantId, scale: Scale): readonly number[] {
  return entrants[id].kind === 'peer' ? scale.growth.peers : scale.growth.floor;
}

function wantedLengths(id: EntrantId, scale: Scale): readonly number[] {
  return [...scale.turns, ...growthLengths(id, scale)];
}

function rowsOf(
  costs: Omit<TurnCosts, 'rows'>,
  valueOf: (id: EntrantId, turns: number, name: string) => number | undefined,
  scale: Scale,
): readonly Row[] {
  const longest = scale.turns.at(-1) ?? 0;
  const bytesPerTurn = (id: EntrantId): number | undefined => {
    const bytes = valueOf(id, longest, 'bytesWritten');
    return bytes === undefined || entrants[id].durability === 'none' ? undefined : bytes / longest;
  };
  const perTurn = measured.map((id): Row => {
    const { name, durability } = entrants[id];
    const floor = measured.find((other) => entrants[other].kind === 'floor' && sameDurability(other, id));
    return {
      table: 'One session: µs per turn (one model call, one tool call)',
      name,
      durability,
      values: {
        ...Object.fromEntries(scale.turns.map((turns) => [`N = ${turns}`, costs.micros(id, turns)])),
        'times the floor':
          floor === undefined ? undefined : costs.micros(id, longest) / costs.micros(floor, longest),
        'bytes written per turn': bytesPerTurn(id),
      },
    };
  });
  const growth = measured.map((id): Row => {
    const { name, durability } = entrants[id];
    const lengths = growthLengths(id, scale);
    return {
      table: 'Growth: exponent over the length of the session (1 = linear)',
      name,
      durability,
      values: {
        'from N': lengths[0],
        'to N': lengths.at(-1),
        time: costs.timeExponent(id),
        'bytes written': bytesPerTurn(id) === undefined ? undefined : costs.bytesExponent(id),
      },
    };
  });
  return [...perTurn, ...growth];
}

/** Whether two entrants survive the same, whatever stores them. */
function sameDurability(a: EntrantId, b: EntrantId): boolean {
  const kindOf = (id: EntrantId): string => entrants[id].durability.split(' (')[0] ?? '';
  return kindOf(a) === kindOf(b);
}

function keyOf(id: EntrantId, turns: number): string {
  return `${id} ${turns}`;
}
