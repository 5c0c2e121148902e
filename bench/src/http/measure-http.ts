import { answerOf, start } from '../engine/child-process.js';
import type { Values } from '../engine/child-process.js';
import { prepare } from '../engine/prepare.js';
import type { Goal, Report, Row } from '../report.js';
import { atLeast, atMost } from '../report.js';
import { HOSTILE, ORDINARY, type PageName } from './pages.js';

const CONVERTERS = {
  ours: './http-ours.js',
  turndown: '../peers/dist/turndown.js',
  'node-html-markdown': '../peers/dist/node-html-markdown.js',
} as const;
type Converter = keyof typeof CONVERTERS;
const PEERS = ['turndown', 'node-html-markdown'] as const satisfies readonly Converter[];

const ORDINARY_NAMES = Object.keys(ORDINARY) as (keyof typeof ORDINARY)[];
const LONGEST_HOSTILE_MS = 2_000;

/** Pages to Markdown beside two common converters, ordinary and hostile ones, and what that does to the event loop. */
export async function measureHttp(options: {
  readonly quick: boolean;
  readonly say: (line: string) => void;
}): Promise<Report> {
  const { quick, say } = options;
  const deadlineMs = quick ? 5_000 : 60_000;
  await prepare(say);

  const rows: Row[] = [];
  const took = new Map<string, number>();
  for (const page of [...ORDINARY_NAMES, ...HOSTILE]) {
    const isHostile = HOSTILE.some((name) => name === page);
    for (const name of Object.keys(CONVERTERS) as Converter[]) {
      say(`${page} page, ${name}`);
      const times = isHostile ? 1 : quick ? 10 : 60;
      const { outcome, values } = await convertIn(CONVERTERS[name], page, times, deadlineMs);
      took.set(`${name} ${page}`, values['ms'] ?? Infinity);
      const table = `Page to Markdown, ${isHostile ? 'hostile' : 'ordinary'}: ${page}`;
      rows.push({
        table,
        name: outcome === undefined ? name : `${name}: ${outcome}`,
        durability: '',
        values,
      });
    }
  }

  const delays = new Map<string, Values>();
  for (const page of ['large', ...HOSTILE] as const) {
    say(`event loop, ${page} page`);
    const child = start('http-loop-delay.js', [page, quick ? '3' : '20']);
    try {
      const values = await answerOf(child, `http_fetch of the ${page} page`);
      delays.set(page, values);
      rows.push({
        table: 'http_fetch of a page, in the process that waits for it',
        name: page,
        durability: '',
        values,
      });
    } finally {
      child.kill();
    }
  }

  const ms = (name: Converter, page: PageName): number => took.get(`${name} ${page}`) ?? Number.NaN;
  const goals: readonly Goal[] = [
    ...ORDINARY_NAMES.flatMap((page) =>
      PEERS.map((peer) => atLeast(`${peer} ÷ ours, ${page} page`, ms(peer, page) / ms('ours', page), 1)),
    ),
    ...HOSTILE.map((page) => atMost(`ours on the page '${page}', ms`, ms('ours', page), LONGEST_HOSTILE_MS)),
    ...[...delays].map(([page, values]) =>
      atMost(
        `event loop while http_fetch reads '${page}', delay p99 ms`,
        values['delayP99Ms'] ?? Number.NaN,
        20,
      ),
    ),
  ];
  return { rows, goals };
}

/** A peer may hang or overflow: it is measured in a process that can be killed, and what became of it is the result. */
async function convertIn(
  converter: string,
  page: PageName,
  times: number,
  deadlineMs: number,
): Promise<{ readonly outcome?: string; readonly values: Values }> {
  const child = start('http-convert.js', [converter, page, String(times)]);
  try {
    return { values: await answerOf(child, page, deadlineMs) };
  } catch (error) {
    return {
      outcome: String(error)
        .replace(/^Error: [^:]*: /, '')
        .slice(0, 60),
      values: {},
    };
  } finally {
    child.kill('SIGKILL');
  }
}
