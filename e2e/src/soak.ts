import { parseArgs } from 'node:util';
import { simulateBudgets } from './soak/budget/simulate-budgets.js';
import { growthExponent, measureGrowth } from './soak/growth/measure-growth.js';
import { runInspector } from './soak/inspector/run-inspector.js';
import { runOnHost } from './soak/inspector/run-on-host.js';
import { runKills } from './soak/kill/run-kills.js';
import { runModel } from './soak/model/run-model.js';
import { Violation } from './soak/violation.js';
import type { HostChoice } from './support/choose-host.js';
import { chooseHost } from './support/choose-host.js';

type Progress = (report: object) => void;

/** What can be soaked: how often by default, what is counted, and the work; each throws a `Violation` when a promise breaks. */
const SOAKS = {
  model: {
    times: 10_000,
    of: 'sequences',
    run: (times: number, seed: number, progress: Progress) => runModel({ times, seed }, progress),
  },
  budget: {
    times: 100_000,
    of: 'sessions',
    run: (times: number, seed: number, progress: Progress) =>
      simulateBudgets({ sessions: times, seed }, progress),
  },
  kill: {
    times: 200,
    of: 'kills',
    run: (times: number, seed: number, progress: Progress, { start }: HostChoice) =>
      runKills({ times, seed, ...(start === undefined ? {} : { start }) }, progress),
  },
  inspector: {
    times: 200,
    of: 'rounds',
    run: async (times: number, seed: number, progress: Progress) => ({
      threads: await runInspector({ times, seed }, progress),
      host: await runOnHost({ times: Math.ceil(times / 10) }, progress),
    }),
  },
  growth: { times: 2_000, of: 'turns', run: growth },
} as const;

async function growth(turns: number): Promise<object> {
  const [short, long] = await measureGrowth([Math.ceil(turns / 10), turns]);
  if (short === undefined || long === undefined) throw new Violation('nothing was measured');
  const exponent = growthExponent([short.turns, short.bytes], [long.turns, long.bytes]);
  if (!(exponent <= 1.05)) throw new Violation(`bytes grow with exponent ${exponent}`);
  return { ...long, exponent };
}

const USAGE = `npm run soak -- <${Object.keys(SOAKS).join(' | ')}> [--times N] [--seed N] [--host harperdb (kill only)]`;
const PROGRESS_MS = 10_000;

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      times: { type: 'string' },
      seed: { type: 'string' },
      host: { type: 'string', default: 'embedded' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(`Usage: ${USAGE}`);
    return 0;
  }
  const name = positionals[0] ?? '';
  if (!isSoak(name)) {
    console.error(`Unknown soak '${name}'. Usage: ${USAGE}`);
    return 2;
  }
  const soak = SOAKS[name];
  const times = Number(values.times ?? soak.times);
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31));
  if (!Number.isSafeInteger(times) || times < 1 || !Number.isSafeInteger(seed)) {
    console.error(`--times is a whole number from 1, --seed a whole number. Usage: ${USAGE}`);
    return 2;
  }
  if (values.host !== 'embedded' && name !== 'kill') {
    console.error(`${name} runs without a host of its choice. Usage: ${USAGE}`);
    return 2;
  }
  const host = await chooseHost(values.host);
  console.log(`${name}: ${times} ${soak.of}, seed ${seed}`);
  const startedAt = Date.now();
  let told = startedAt;
  const tell = (soFar: object): void => {
    if (Date.now() - told < PROGRESS_MS) return;
    told = Date.now();
    console.log(`  so far ${JSON.stringify(soFar)}`);
  };
  try {
    const report = await soak.run(times, seed, tell, host);
    console.log(
      `${name} ok, no violation in ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n${JSON.stringify(report, undefined, 2)}`,
    );
    return 0;
  } catch (error) {
    console.log(
      `${name} VIOLATED (seed ${seed})\n${error instanceof Violation ? error.message : error instanceof Error ? error.stack : String(error)}`,
    );
    return 1;
  }
}

function isSoak(name: string): name is keyof typeof SOAKS {
  return Object.hasOwn(SOAKS, name);
}

try {
  process.exitCode = await main();
} catch (error) {
  // Nothing was run: a host that is none, or one whose licence was not accepted.
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
