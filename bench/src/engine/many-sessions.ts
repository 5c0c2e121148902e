import type { Row } from '../report.js';
import type { Values } from './child-process.js';
import { startContender } from './child-process.js';
import type { EntrantId } from './contenders.js';
import { entrants } from './contenders.js';
import { freshSamples } from './fresh-samples.js';
import type { Scale } from './scale.js';

const TURNS = 10;
const MODEL_MS = 20;

const measured: readonly EntrantId[] = [
  'floorMemory',
  'floorNormal',
  'floorGroup',
  'engineMemory',
  'engineFull',
  'engineLmdb',
  'aiSdk',
  'openaiMemory',
  'langgraphMemory',
  'langgraph',
];

/** Many sessions at once with a model that takes its time, each sample in a fresh process. */
export async function measureManySessions(
  scale: Scale,
): Promise<{ readonly rows: readonly Row[]; value(id: EntrantId, name: string): number }> {
  const found = await freshSamples(measured, scale.samples, async (id, folder): Promise<Values> => {
    const child = startContender(entrants[id].file, entrants[id].variant, folder);
    try {
      return await child.measure({
        name: 'sessions',
        turns: TURNS,
        sessions: scale.sessions,
        modelMs: MODEL_MS,
      });
    } finally {
      await child.end();
    }
  });
  const value = (id: EntrantId, name: string): number => found.get(id)?.[name] ?? Number.NaN;
  const rows = measured.map((id): Row => ({
    table: `${scale.sessions} sessions × ${TURNS} turns at once, the model takes ${MODEL_MS} ms (at best ${(TURNS + 1) * MODEL_MS} ms in all)`,
    name: entrants[id].name,
    durability: entrants[id].durability,
    values: {
      'total ms': value(id, 'totalMs'),
      'times the floor': value(id, 'totalMs') / value('floorGroup', 'totalMs'),
      'loop delay p99 ms': value(id, 'delayP99Ms'),
      'max ms': value(id, 'delayMaxMs'),
      'CPU µs per turn': value(id, 'cpuMicrosPerTurn'),
      'peak RSS MB': value(id, 'peakRssMb'),
    },
  }));
  return { rows, value };
}
