import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { dirname, join } from 'node:path';
import type { Values } from '../engine/child-process.js';
import { measureImport } from '../engine/child-process.js';
import { medians } from '../engine/medians.js';
import type { Goal, Report, Row } from '../report.js';
import { atMost } from '../report.js';
import { agentFolder } from './agent-folder.js';

const TABLE = 'dist/agent/, in a fresh process';
const KB = 1_000;

/** How large the bundled agent is, and what importing it costs where it is off and where it is on. */
export async function measureFolder(samples: number): Promise<Report> {
  const { entry, agent, files } = agentFolder();
  const code = files.filter(({ name }) => name.endsWith('.js'));
  const packed = code.map(({ name }) => gzipSync(readFileSync(join(dirname(entry), name))).length);
  const off: Values[] = [];
  const on: Values[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    off.push(await measureImport('import-cost.js', [pathToFileURL(entry).href]));
    on.push(await measureImport('import-cost.js', [pathToFileURL(agent).href]));
  }
  const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
  const row = (name: string, values: Row['values']): Row => ({ table: TABLE, name, durability: '', values });
  const offCost = medians(off);
  const onCost = medians(on);
  const rows: readonly Row[] = [
    row('the entry alone: a worker, or enabled: false', {
      ms: offCost['ms'],
      'RSS MB': offCost['rssMb'],
      KB: (code.find(({ name }) => name === 'agent.js')?.bytes ?? Number.NaN) / KB,
    }),
    row('all that a start imports', { ms: onCost['ms'], 'RSS MB': onCost['rssMb'] }),
    row('the folder', { KB: sum(code.map(({ bytes }) => bytes)) / KB, 'KB gzipped': sum(packed) / KB }),
  ];
  const goals: readonly Goal[] = [
    atMost('importing the entry, ms', offCost['ms'] ?? Number.NaN, 5),
    atMost('importing the entry, RSS MB', offCost['rssMb'] ?? Number.NaN, 1),
  ];
  return { rows, goals };
}
