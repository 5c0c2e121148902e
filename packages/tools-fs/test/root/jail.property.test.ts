import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { descriptorsReachFiles } from '../../src/root/descriptor-folder.js';
import type { Hold } from '../../src/root/folder.js';
import { callTool } from '../support/call-tool.js';
import { OUTSIDE, makeTree, snapshot, toolsWith } from '../support/tree.js';

const holds: Hold[] = (await descriptorsReachFiles()) ? ['descriptor', 'check'] : ['check'];

const parts = (base: string) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.constantFrom('..', '.', '', 'hello', 'deep', 'outside', 'sub', 'root-evil', 'root'),
    },
    {
      weight: 6,
      arbitrary: fc.constantFrom('leaf-link', 'parent-link', 'dangling', 'up-link', 'inner-link'),
    },
    {
      weight: 3,
      arbitrary: fc.constantFrom('a.txt', 'b.txt', 'secret.txt', 'keys', 'server.txt', 'server.pem', '.env'),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom('~', '$HOME', '${PWD}', '%2e%2e', '．．', '‥', '..\0', '.. ', '..;', 'KEYS'),
    },
    { weight: 1, arbitrary: fc.constantFrom(base, base.slice(1), `${base}/outside`, 'file:', 'C:') },
    { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }) },
  );

const spelling = (base: string) =>
  fc
    .array(fc.tuple(parts(base), fc.constantFrom('/', '/', '/', '//', '\\', '/./')), {
      minLength: 1,
      maxLength: 7,
    })
    .map((pieces) =>
      pieces.map(([part, separator], index) => (index === 0 ? part : separator + part)).join(''),
    );

describe.each(holds)('any spelling of a path, holding folders by %s', (hold) => {
  it('reaches nothing outside the root, for reading, listing and writing', async () => {
    const { base, root } = await makeTree();
    const tools = toolsWith({ roots: { components: { path: root, mode: 'rw' } } }, hold);
    const attempt = (name: string, input: object) =>
      callTool(tools, name, input).then(
        ({ text }) => ({ done: true, text }),
        (error: unknown) => ({ done: false, text: String(error) }),
      );
    const outside = async () => [
      await snapshot(join(base, 'outside')),
      await snapshot(join(base, 'root-evil')),
    ];
    const guarded = async () =>
      Object.entries(await snapshot(base)).filter(
        ([path, content]) =>
          !path.startsWith(`${root}/`) || content.includes(OUTSIDE) || content.startsWith('->'),
      );
    const [outsideBefore, guardedBefore] = [await outside(), await guarded()];
    let reached = 0;
    await fc.assert(
      fc.asyncProperty(
        spelling(base),
        fc.constantFrom('read_file', 'list_dir', 'write_file'),
        async (path, name) => {
          const content = name === 'write_file' ? { content: 'written' } : {};
          const { done, text } = await attempt(name, { path, ...content });
          reached += done ? 1 : 0;
          expect(text).not.toContain(OUTSIDE);
          expect(text).not.toMatch(/\.txt 17\b/);
          expect(name === 'write_file' ? await outside() : outsideBefore).toEqual(outsideBefore);
        },
      ),
      { numRuns: 300 },
    );
    expect(await guarded()).toEqual(guardedBefore);
    expect(reached, 'paths that were legal').toBeGreaterThan(10);
  }, 60_000);
});
