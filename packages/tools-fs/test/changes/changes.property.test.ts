import {
  chmod,
  lstat,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Tool } from '@harperfast/agent-core/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fsTools, openFileChangeLog } from '../../src/index.js';
import { callTool, toolsOf } from '../support/call-tool.js';
import { OUTSIDE } from '../support/tree.js';

/** `FS_FUZZ_RUNS=2000 npx vitest run --project tools-fs changes.property` looks longer. */
const runs = Number(process.env['FS_FUZZ_RUNS'] ?? 30);
/** What a call may take, and a second more. */
const DEADLINE_MS = 11_000;

const contents = {
  lf: Buffer.from('alpha\nbeta\ngamma é 😀\n'),
  crlf: Buffer.from('alpha\r\nbeta\r\ngamma\r\n'),
  mixed: Buffer.from('alpha\r\nbeta\ngamma\r'),
  bom: Buffer.from('\uFEFFalpha\r\nbeta\r\n'),
  latin1: Buffer.from('alpha\ncaf\xe9 beta\n', 'latin1'),
  utf16: Buffer.from('\uFEFFalpha\nbeta\n', 'utf16le'),
  binary: Buffer.from([0x61, 0x6c, 0x70, 0x68, 0x61, 0, 0xff, 0x0a]),
  key: Buffer.from(`alpha\n-----BEGIN PRIVATE KEY-----\n${OUTSIDE}\n`),
  empty: Buffer.alloc(0),
};
const names = [
  'a',
  'b',
  'dir',
  'dir/a',
  'dir/b',
  'dir/sub',
  'new/deep/c',
  'link',
  'dangling',
  'linked/secret',
  'inner/a',
];
const path = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...names) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '.',
      '..',
      '../outside/secret',
      '/etc/passwd',
      'dir/../a',
      'keys/a',
      '.env',
      'A',
      'dir/..//./b',
      'a\\b',
      '~/a',
      '$HOME',
      'a/b',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
);
const text = fc.string({
  unit: fc.constantFrom('alpha', 'beta', 'x', '\n', '\r\n', 'é', '😀', '\uFEFF', '\0', ' ', '\ud800'),
  maxLength: 6,
});
const oldText = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('alpha', 'beta', 'alpha\nbeta', 'a', '\n', 'gamma') },
  { weight: 1, arbitrary: text.filter((value) => value !== '') },
);
const likelyPath = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('a', 'dir/a', 'b') },
  { weight: 1, arbitrary: path },
);
const newText = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('x', '', 'é\n😀', 'y\r\nz', '\uFEFFx') },
  { weight: 1, arbitrary: text },
);
const edit = fc.record({ oldText, newText, replaceAll: fc.boolean() });

const call = fc.oneof(
  fc.record({ name: fc.constant('write_file'), input: fc.record({ path: likelyPath, content: text }) }),
  {
    weight: 4,
    arbitrary: fc.record({
      name: fc.constant('edit_file'),
      input: fc.record({ path: likelyPath, edits: fc.array(edit, { minLength: 1, maxLength: 2 }) }),
    }),
  },
  fc.record({ name: fc.constant('move_file'), input: fc.record({ path: likelyPath, to: path }) }),
  fc.record({ name: fc.constant('delete_file'), input: fc.record({ path: likelyPath }) }),
  fc.record({ name: fc.constant('make_dir'), input: fc.record({ path }) }),
  fc.record({ name: fc.constant('read_file'), input: fc.record({ path: likelyPath }) }),
);

type AnyCall = typeof call extends fc.Arbitrary<infer Value> ? Value : never;
const everyTool: AnyCall[] = [
  { name: 'write_file', input: { path: 'b', content: 'x' } },
  { name: 'edit_file', input: { path: 'a', edits: [{ oldText: 'beta', newText: 'x', replaceAll: false }] } },
  { name: 'move_file', input: { path: 'dir/a', to: 'new/deep/c' } },
  { name: 'make_dir', input: { path: 'dir/b' } },
  { name: 'delete_file', input: { path: 'a' } },
  { name: 'read_file', input: { path: 'b' } },
];

/** Everything below a folder, with bytes and permissions. */
async function look(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const at = join(entry.parentPath, entry.name);
    if (entry.isFile())
      found[at] = `${((await lstat(at)).mode & 0o777).toString(8)} ${await readFile(at, 'latin1')}`;
    else found[at] = entry.isSymbolicLink() ? `-> ${await readlink(at)}` : 'folder';
  }
  return found;
}

/** A root with two files of the given kinds, folders, and links that lead out, in and nowhere. */
async function build(
  base: string,
  first: keyof typeof contents,
  second: keyof typeof contents,
): Promise<string> {
  const root = join(base, 'root');
  await mkdir(join(root, 'dir/sub'), { recursive: true });
  await mkdir(join(base, 'outside'));
  await Promise.all([
    writeFile(join(base, 'outside/secret'), OUTSIDE),
    writeFile(join(root, '.env'), `TOKEN=${OUTSIDE}`),
    writeFile(join(root, 'a'), contents[first]),
    writeFile(join(root, 'dir/a'), contents[second]),
    symlink('../outside/secret', join(root, 'link')),
    symlink('../outside/not-there', join(root, 'dangling')),
    symlink('../outside', join(root, 'linked')),
    symlink('dir', join(root, 'inner')),
  ]);
  await chmod(join(root, 'a'), 0o750);
  return root;
}

async function settle(
  tools: readonly Tool[],
  name: string,
  input: object,
): Promise<{ done: boolean; said: string }> {
  let late: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    late = setTimeout(() => reject(new Error(`${name} did not settle`)), DEADLINE_MS);
  });
  const work = callTool(tools, name, input).then(
    ({ text: said, data }) => ({ done: true, said: said + JSON.stringify(data) }),
    (error: unknown) => ({ done: false, said: String(error) }),
  );
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(late);
  }
}

describe('any sequence of calls', () => {
  it('stays inside, damages nothing, settles, and is taken back byte for byte', async () => {
    const reached = new Map<string, number>();
    const kind = fc.constantFrom(...(Object.keys(contents) as (keyof typeof contents)[]));
    await fc.assert(
      fc.asyncProperty(
        kind,
        kind,
        fc.array(call, { minLength: 1, maxLength: 12 }),
        async (first, second, calls) => {
          const base = await realpath(await mkdtemp(join(tmpdir(), 'changes-')));
          const root = await build(base, first, second);
          const changeLog = openFileChangeLog({ folder: join(base, 'log') });
          const provider = fsTools({ roots: { components: { path: root, mode: 'rw' } }, changeLog });
          try {
            const tools = await toolsOf(provider);
            const outside = await look(join(base, 'outside'));
            const before = await look(root);
            let now = before;
            for (const { name, input } of calls) {
              const { done, said } = await settle(tools, name, input);
              expect(said, `what ${name} says`).not.toContain(OUTSIDE);
              const next = await look(root);
              const changed = done && name !== 'read_file';
              expect(changed ? now : next, `after a ${name} that did nothing`).toEqual(now);
              expect(changed ? damage(root, { name, input }, now, next) : []).toEqual([]);
              reached.set(name, (reached.get(name) ?? 0) + (done ? 1 : 0));
              now = next;
            }
            expect(await look(join(base, 'outside'))).toEqual(outside);
            expect(Object.keys(now).filter((at) => at.includes('.agent-write'))).toEqual([]);
            const { kept } = await provider.revertChanges('s1', { to: 0 });
            expect(kept).toEqual([]);
            expect(await look(root)).toEqual(before);
          } finally {
            await provider.close();
            await rm(base, { recursive: true, force: true });
          }
        },
      ),
      // The first one reaches every tool, whatever the others come to.
      { numRuns: runs, examples: [['lf', 'lf', everyTool]] },
    );
    for (const name of ['write_file', 'edit_file', 'move_file', 'delete_file', 'make_dir', 'read_file']) {
      expect(reached.get(name) ?? 0, `calls of ${name} that did something`).toBeGreaterThan(0);
    }
  }, 600_000);
});

interface Call {
  readonly name: string;
  readonly input: {
    readonly path: string;
    readonly content?: string;
    readonly edits?: readonly { oldText: string; newText: string; replaceAll: boolean }[];
  };
}

/** What a call that succeeded did to content it does not own up to: what it should do is written down a second time. */
function damage(
  root: string,
  { name, input }: Call,
  before: Record<string, string>,
  after: Record<string, string>,
): readonly string[] {
  if (name !== 'write_file' && name !== 'edit_file') return [];
  const file = Object.keys(after).find((at) => resolve(root, input.path) === at) ?? '';
  const others = (all: Record<string, string>) =>
    Object.keys(all)
      .filter((at) => at !== file && all[at] !== 'folder')
      .map((at) => `${at}: ${all[at]}`)
      .join('\n');
  const problems = others(before) === others(after) ? [] : ['another file changed'];
  const [was, is] = [plain(before[file]), plain(after[file])];
  if (name === 'write_file') return is === input.content ? problems : [...problems, 'not the content given'];
  const edits = input.edits ?? [];
  // Which line endings `oldText` means depends on those of the text: apply-edits.test.ts has that.
  const exact =
    edits.every(({ oldText: from }) => !/[\r\n]/.test(from)) ||
    !`${was}${JSON.stringify(edits)}`.match(/\r|\\r/);
  if (exact && lines(is) !== edits.reduce(edited, lines(was))) problems.push('not the text asked for');
  if (is.startsWith('\uFEFF') !== was.startsWith('\uFEFF')) problems.push('byte order mark');
  const crlf = was.includes('\r\n') && !/(?:^|[^\r])\n/.test(was);
  if (crlf && /(?:^|[^\r])\n/.test(is)) problems.push('line endings');
  return problems;
}

function edited(
  text: string,
  { oldText: from, newText: to, replaceAll }: { oldText: string; newText: string; replaceAll: boolean },
): string {
  const [old = '', fresh = ''] = [from, to].map((what) => (what.length > 1 ? lines(what) : what));
  if (replaceAll) return text.split(old).join(fresh);
  const at = text.indexOf(old);
  return text.slice(0, at) + fresh + text.slice(at + old.length);
}

/** A file of `look` as text. */
function plain(what = ''): string {
  return Buffer.from(what.replace(/^\d+ /, ''), 'latin1').toString('utf8');
}

/** A text without a byte order mark, its lines ended alike. */
function lines(what: string): string {
  return what.replaceAll('\r\n', '\n').replace(/^\uFEFF/, '');
}
