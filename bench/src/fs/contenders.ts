import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { answerOf, start } from '../engine/child-process.js';
import type { Values } from '../engine/child-process.js';
import { CATASTROPHIC, type Fixtures, RARE, RARE_PATTERN } from './fixtures.js';
import type { Job } from './measured.js';
import { runTimed } from './run-timed.js';
import type { FsScale } from './scale.js';

/** One way to do one of the things that are compared. Resolves with at least `ms` and `found`. */
export interface Contender {
  readonly table: string;
  readonly name: string;
  /** What a change survives, where one is made. */
  readonly durability?: string;
  readonly run: () => Promise<Values>;
}

/** Something that works in a process of its own, for all its samples. */
interface Process {
  readonly ask: (job: Job) => Promise<Values>;
  readonly end: () => void;
}

const peers = createRequire(new URL('../../peers/package.json', import.meta.url));
const TAIL_LINES = 200;
const TAIL_TIMES = 20;

/** Everybody, in the order of the tables; `close` ends the processes. */
export async function openContenders(
  { folder, tree, log }: Fixtures,
  { middleLine }: FsScale,
): Promise<{ readonly contenders: readonly Contender[]; readonly close: () => void }> {
  const inFolder = (path: string): string => path.slice(folder.length + 1);
  const ours = startProcess('fs-ours.js', [folder]);
  const floor = startProcess('fs-floor.js', []);
  const mcp = startProcess('../peers/dist/mcp-filesystem.js', [folder]);
  const ripgrep = peers.resolve(`@vscode/ripgrep-${process.platform}-${process.arch}/bin/rg`);
  const last = middleLine + TAIL_LINES;

  const grep =
    (path: string, pattern: string, input: object = {}) =>
    () =>
      ours.ask({ name: 'grep', input: { path: inFolder(path), pattern, ...input } });
  const program =
    (command: string, ...args: string[]) =>
    () =>
      runTimed(command, args);

  const edited = (name: string): string => join(folder, `edited-by-${name}.js`);
  await Promise.all(['ours', 'mcp', 'sed'].map((name) => writeFile(edited(name), bigText())));
  const ourEdit = alternate((edits) =>
    ours.ask({ name: 'edit', input: { path: inFolder(edited('ours')), edits } }),
  );
  const mcpEdit = alternate((edits) => mcp.ask({ name: 'edit', input: { path: edited('mcp'), edits } }));
  const sedEdit = alternate(([edit]) =>
    runTimed('sed', ['-i', `s/${edit?.oldText}/${edit?.newText}/`, edited('sed')]),
  );

  const contenders: Contender[] = [
    { table: LITERAL, name: 'ours', run: grep(tree, RARE, { literal: true }) },
    { table: LITERAL, name: 'ripgrep', run: program(ripgrep, '-n', '-F', RARE, tree) },
    { table: LITERAL, name: 'GNU grep', run: program('grep', '-rnF', RARE, tree) },
    { table: REGEX, name: 'ours', run: grep(tree, RARE_PATTERN) },
    { table: REGEX, name: 'ripgrep', run: program(ripgrep, '-n', RARE_PATTERN, tree) },
    { table: REGEX, name: 'GNU grep', run: program('grep', '-rnE', RARE_PATTERN, tree) },
    { table: LOG, name: 'ours', run: grep(log, RARE, { literal: true }) },
    { table: LOG, name: 'ripgrep', run: program(ripgrep, '-n', '-F', RARE, log) },
    { table: LOG, name: 'GNU grep', run: program('grep', '-nF', RARE, log) },
    {
      table: HOSTILE,
      name: 'ours',
      run: grep(`${tree}/app-0`, CATASTROPHIC, { show: 'counts', maxResults: 1_000 }),
    },
    {
      table: TAIL,
      name: 'ours',
      run: () =>
        ours.ask({ name: 'tail', input: { path: inFolder(log), lines: TAIL_LINES }, times: TAIL_TIMES }),
    },
    {
      table: TAIL,
      name: 'floor: 64 KB blocks',
      run: () => floor.ask({ name: 'tail', input: { file: log, lines: TAIL_LINES }, times: TAIL_TIMES }),
    },
    ...(process.platform === 'linux'
      ? [
          {
            table: TAIL,
            name: 'the same in a jail',
            run: () =>
              floor.ask({
                name: 'tailInJail',
                input: { file: log, lines: TAIL_LINES },
                times: TAIL_TIMES,
              }),
          },
        ]
      : []),
    { table: TAIL, name: 'tail', run: program('tail', '-n', String(TAIL_LINES), log) },
    {
      table: TAIL,
      name: 'MCP filesystem server',
      run: () => mcp.ask({ name: 'tail', input: { path: log, tail: TAIL_LINES }, times: TAIL_TIMES }),
    },
    {
      table: MIDDLE,
      name: 'ours',
      run: () =>
        ours.ask({
          name: 'read',
          input: { path: inFolder(log), startLine: middleLine, maxLines: TAIL_LINES + 1 },
        }),
    },
    {
      table: MIDDLE,
      name: 'floor: 64 KB blocks',
      run: () =>
        floor.ask({ name: 'read', input: { file: log, startLine: middleLine, lines: TAIL_LINES + 1 } }),
    },
    { table: MIDDLE, name: 'sed', run: program('sed', '-n', `${middleLine},${last}p;${last}q`, log) },
    {
      table: MIDDLE,
      name: 'MCP filesystem server',
      run: () => mcp.ask({ name: 'read', input: { path: log, head: last } }),
    },
    { table: EDIT, name: 'ours', durability: 'power loss (fsync)', run: ourEdit },
    { table: EDIT, name: 'MCP filesystem server', durability: 'SIGKILL', run: mcpEdit },
    { table: EDIT, name: 'sed -i', durability: 'SIGKILL', run: sedEdit },
  ];
  return { contenders, close: () => [ours, floor, mcp].forEach(({ end }) => end()) };
}

export const LITERAL = 'Grep the tree for a rare text';
export const REGEX = 'Grep the tree for a rare pattern';
export const LOG = 'Grep the log for a rare text';
export const HOSTILE = 'Grep for a pattern that a backtracking engine never ends, a twentieth of the tree';
export const TAIL = 'The last 200 lines of the log';
export const MIDDLE = '201 lines from the middle of the log';

export const EDIT = 'Replace one text in a file of 4 MB';

/** A source file of 4 MB with one marker in its middle. */
function bigText(): string {
  const half = '  const order = await tables.Order.get(request.id);\n'.repeat(40_000);
  return `${half}// ${MARKERS[0]}\n${half}`;
}

const MARKERS = ['marker-one', 'marker-two'] as const;

type Edits = readonly { readonly oldText: string; readonly newText: string }[];

/** Puts one marker in place of the other, and the next time the other way round. */
function alternate(edit: (edits: Edits) => Promise<Values>): () => Promise<Values> {
  let [oldText, newText]: readonly string[] = MARKERS;
  return () => {
    const edits = [{ oldText: oldText ?? '', newText: newText ?? '' }];
    [oldText, newText] = [newText, oldText];
    return edit(edits);
  };
}

function startProcess(program: string, args: readonly string[]): Process {
  const child = start(program, args);
  return {
    ask(job) {
      child.send(job);
      return answerOf(child, `${program}: ${job.name}`);
    },
    end: () => void child.kill(),
  };
}
