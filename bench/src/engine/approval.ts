import type { Row } from '../report.js';
import type { Task, Values } from './child-process.js';
import { startContender } from './child-process.js';
import type { EntrantId } from './contenders.js';
import { entrants } from './contenders.js';
import { freshSamples } from './fresh-samples.js';
import type { Scale } from './scale.js';

const TURNS = 200;

const measured: readonly EntrantId[] = [
  'floorNormal',
  'engineNormal',
  'floorFull',
  'engineLmdb',
  'aiSdk',
  'langgraph',
  'openai',
];

/** One process runs a session until a call needs an approval; another approves it and goes on. */
export async function measureApproval(
  scale: Scale,
): Promise<{ readonly rows: readonly Row[]; resumedMs(id: EntrantId): number }> {
  const found = await freshSamples(measured, scale.samples, async (id, folder) => ({
    ...(await inFreshProcess(id, folder, 'pause')),
    ...(await inFreshProcess(id, folder, 'resume')),
  }));
  const value = (id: EntrantId, name: string): number => found.get(id)?.[name] ?? Number.NaN;
  const rows = measured.map((id): Row => ({
    table: `Approval at turn ${TURNS}`,
    name: entrants[id].name,
    durability: entrants[id].durability,
    values: {
      'pause on disk ms': value(id, 'pauseMs'),
      'fresh process to next model call ms': value(id, 'resumedMs'),
    },
  }));
  return { rows, resumedMs: (id) => value(id, 'resumedMs') };
}

async function inFreshProcess(id: EntrantId, folder: string, name: Task['name']): Promise<Values> {
  const child = startContender(entrants[id].file, entrants[id].variant, folder);
  try {
    return await child.measure({ name, turns: TURNS });
  } finally {
    await child.end();
  }
}
