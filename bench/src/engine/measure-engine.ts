import type { Goal, Report } from '../report.js';
import { atLeast, atMost } from '../report.js';
import { measureApproval } from './approval.js';
import type { EntrantId } from './contenders.js';
import { measureImports } from './import-costs.js';
import { measureManySessions } from './many-sessions.js';
import { prepare } from './prepare.js';
import { FULL_SCALE, QUICK_SCALE } from './scale.js';
import { measureTurnCost } from './turn-cost.js';

/** The engine beside a hand-written loop and its peers. Takes minutes; tells its progress. */
export async function measureEngine(options: {
  readonly quick: boolean;
  readonly say: (line: string) => void;
}): Promise<Report> {
  const { quick, say } = options;
  const scale = quick ? QUICK_SCALE : FULL_SCALE;
  await prepare(say);

  const turns = await measureTurnCost(scale, say);
  say('many sessions at once');
  const sessions = await measureManySessions(scale);
  say('an approval over a restart');
  const approval = await measureApproval(scale);
  say('imports');
  const imports = await measureImports(scale);

  const longest = scale.turns.at(-1) ?? 0;
  const turnRatio = (a: EntrantId, b: EntrantId): number =>
    turns.micros(a, longest) / turns.micros(b, longest);
  const totalRatio = (id: EntrantId): number =>
    sessions.value(id, 'totalMs') / sessions.value('floorGroup', 'totalMs');
  const fastestPeer = (['aiSdk', 'langgraph', 'openai'] as const).toSorted(
    (a, b) => turns.micros(a, longest) - turns.micros(b, longest),
  )[0];
  const at = `N = ${longest}`;

  const goals: readonly Goal[] = [
    atMost(`turn on SQLite NORMAL ÷ floor NORMAL, ${at}`, turnRatio('engineNormal', 'floorNormal'), 3),
    atMost(`turn on SQLite FULL ÷ floor FULL, ${at}`, turnRatio('engineFull', 'floorFull'), 3),
    atMost(`turn on Harper tables ÷ floor FULL, ${at}`, turnRatio('engineLmdb', 'floorFull'), 3),
    atLeast(
      `fastest durable peer's turn ÷ ours on SQLite NORMAL, ${at}`,
      fastestPeer === undefined ? Number.NaN : turnRatio(fastestPeer, 'engineNormal'),
      8,
    ),
    atMost('growth of time in memory, exponent', turns.timeExponent('engineMemory'), 1.05),
    atMost('growth of time on SQLite NORMAL, exponent', turns.timeExponent('engineNormal'), 1.05),
    atMost('growth of time on Harper tables, exponent', turns.timeExponent('engineLmdb'), 1.05),
    atMost('growth of bytes on SQLite NORMAL, exponent', turns.bytesExponent('engineNormal'), 1.05),
    atMost('growth of bytes on Harper tables, exponent', turns.bytesExponent('engineLmdb'), 1.05),
    atMost('sessions at once on SQLite FULL ÷ floor with group commit, total', totalRatio('engineFull'), 2.5),
    atMost(
      'sessions at once on Harper tables ÷ floor with group commit, total',
      totalRatio('engineLmdb'),
      2.5,
    ),
    atMost(
      'sessions at once on SQLite FULL, loop delay p99 ms',
      sessions.value('engineFull', 'delayP99Ms'),
      20,
    ),
    atMost(
      'sessions at once on Harper tables, loop delay p99 ms',
      sessions.value('engineLmdb', 'delayP99Ms'),
      20,
    ),
    atMost(
      'approval resumed on SQLite NORMAL ÷ floor NORMAL',
      approval.resumedMs('engineNormal') / approval.resumedMs('floorNormal'),
      1.6,
    ),
    atMost(
      'approval resumed on Harper tables ÷ floor FULL',
      approval.resumedMs('engineLmdb') / approval.resumedMs('floorFull'),
      1.6,
    ),
    atMost('import of agent-core with zod in one file, ms', imports.ours['ms'] ?? Number.NaN, 50),
    atMost('import of agent-core with zod in one file, MB of RSS', imports.ours['rssMb'] ?? Number.NaN, 15),
  ];
  return { rows: [...turns.rows, ...sessions.rows, ...approval.rows, ...imports.rows], goals };
}
