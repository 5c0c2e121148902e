import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FsScale } from './scale.js';

/** What is searched: the same bytes for the same scale, on every machine. */
export interface Fixtures {
  readonly folder: string;
  /** A folder with `scale.files` source files of about 10 KB, in folders of 50. */
  readonly tree: string;
  /** One log of `scale.logLines` lines of about 90 bytes; each begins with its own number. */
  readonly log: string;
}

/** Stands in one file out of a thousand, and once in the log, in its last hundredth. */
export const RARE = 'quasarDrift7731';
/** Matches the rare word only, and needs more than a search for a fixed text to do so. */
export const RARE_PATTERN = 'quasar[A-Z][a-z]+[0-9]{4}';
/** Sends a backtracking engine into 2^n steps on each of the lines that end in many 'a' and a '!'. */
export const CATASTROPHIC = '(a+)+$';

const FILES_A_FOLDER = 50;
const FORM = 1;

/**
 * Makes what is searched, or uses what an earlier run left, in `BENCH_FS_DATA` or the folder for temporary files. Takes
 * 1.3 GB of disk at full scale, which is kept.
 */
export async function prepareFixtures(scale: FsScale, say: (line: string) => void): Promise<Fixtures> {
  const parent = process.env['BENCH_FS_DATA'] ?? join(tmpdir(), 'agent-bench-fs');
  const folder = join(parent, `${scale.files}-${scale.logLines}-v${FORM}`);
  const fixtures = { folder, tree: join(folder, 'tree'), log: join(folder, 'log', 'hdb.log') };
  const marker = join(folder, 'complete');
  if ((await readFile(marker, 'utf8').catch(() => '')) === '') {
    say(`making ${scale.files} files and a log of ${scale.logLines} lines in ${folder} (once)`);
    await rm(folder, { recursive: true, force: true });
    await makeTree(fixtures.tree, scale.files);
    await makeLog(fixtures.log, scale.logLines);
    await writeFile(marker, 'yes');
  }
  return fixtures;
}

async function makeTree(tree: string, files: number): Promise<void> {
  const random = numbers(42);
  const lines = Array.from({ length: 5_000 }, () => sourceLine(random));
  for (let first = 0; first < files; first += FILES_A_FOLDER) {
    const index = first / FILES_A_FOLDER;
    const folder = join(tree, `app-${Math.floor(index / 20)}`, `module-${index % 20}`);
    await mkdir(folder, { recursive: true });
    const count = Math.min(FILES_A_FOLDER, files - first);
    await Promise.all(
      Array.from({ length: count }, (_, at) => {
        const text = sourceText(lines, random, first + at);
        return writeFile(join(folder, `resource-${at}.js`), text);
      }),
    );
  }
}

function sourceText(lines: readonly string[], random: () => number, index: number): string {
  const text: string[] = [];
  for (let bytes = 0; bytes < 10_200; bytes += text.at(-1)?.length ?? 0) {
    text.push(lines[Math.floor(random() * lines.length)] ?? '');
  }
  if (index % 1_000 === 500) text.splice(100, 0, `  const drift = ${RARE}(${index});\n`);
  if (index % 1_000 === 750) text.splice(50, 0, `${'a'.repeat(40)}!\n`);
  return text.join('');
}

const WORDS = (
  'const return await table record request response value index session token schema index follow ' +
  'Handler Timeout Resource Order Customer update remove create search quiet config export import'
).split(' ');

function sourceLine(random: () => number): string {
  const words = Array.from({ length: 2 + Math.floor(random() * 9) }, () => {
    const word = WORDS[Math.floor(random() * WORDS.length)] ?? '';
    return random() < 0.2 ? `${word}(${Math.floor(random() * 1_000)})` : word;
  });
  return `${'  '.repeat(Math.floor(random() * 4))}${words.join(' ')};\n`;
}

async function makeLog(log: string, lines: number): Promise<void> {
  await mkdir(join(log, '..'), { recursive: true });
  const out = createWriteStream(log);
  const random = numbers(7);
  let block = '';
  for (let line = 1; line <= lines; line++) {
    const what = line === Math.floor(lines * 0.99) ? RARE : 'request';
    block +=
      `${String(line).padStart(9, '0')} 2026-11-30T12:00:00.000Z [http/${line % 4}] [info]: ${what} ` +
      `GET /Order/${Math.floor(random() * 1e6)} 200 in ${Math.floor(random() * 900) + 100} ms\n`;
    if (block.length > 4e6 || line === lines) {
      if (!out.write(block)) await once(out, 'drain');
      block = '';
    }
  }
  out.end();
  await once(out, 'close');
}

/** Numbers from 0 to 1 that are the same in every run: a linear congruential generator. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
