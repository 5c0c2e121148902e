import { describe, expect, it } from 'vitest';
import { nameTools } from '../../../src/registry/names/tool-names.js';

const none: ReadonlySet<string> = new Set();
/** From each own name to the one shown, by the latter. */
const entries = (names: readonly string[]) =>
  [...nameTools(names, none).originals].toSorted(([a], [b]) => (a < b ? -1 : 1));

describe('nameTools', () => {
  it('leaves a name that every provider accepts as it is', () => {
    expect(entries(['get_Dog', 'a-b', 'x'.repeat(64)])).toEqual(
      ['a-b', 'get_Dog', 'x'.repeat(64)].map((name) => [name, name]),
    );
  });

  it('gives names that would become one each a name of its own, in any order', () => {
    const names = ['a/b', 'a.b', 'a_b', 'a b', 'ä_b', '', `${'x'.repeat(64)}1`, `${'x'.repeat(64)}2`];
    const named = entries(names);
    expect(new Set(named.map(([shown]) => shown)).size).toBe(names.length);
    for (const [shown] of named) expect(shown).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(entries(names.toReversed())).toEqual(named);
  });

  it('gives a tool the same name whatever others there are', () => {
    const shownAs = (names: readonly string[]) => named(names).get('a/b');
    const named = (names: readonly string[]) =>
      new Map([...nameTools(names, none).originals].map(([shown, name]) => [name, shown]));
    expect(shownAs(['a/b'])).toBe(shownAs(['a_b', 'a.b', 'a/b']));
  });

  it('gives a name that is taken to nobody else, and says so', () => {
    const { originals, renamed, leftOut } = nameTools(['read_file', 'get_Dog'], new Set(['read_file']));
    const [[, shown] = []] = renamed;
    expect([...renamed.keys()]).toEqual(['read_file']);
    expect(shown).toMatch(/^read_file_[0-9a-f]{8}$/);
    expect(originals.get(String(shown))).toBe('read_file');
    expect(originals.has('read_file')).toBe(false);
    expect(leftOut).toEqual([]);
  });

  it('takes a name for taken that only its case and its hyphens tell from another', () => {
    const { originals, renamed } = nameTools(
      ['Write_File', 'write-file', 'write_files'],
      new Set(['write_file']),
    );
    expect([...renamed.keys()].toSorted()).toEqual(['Write_File', 'write-file']);
    expect([...originals].filter(([shown, name]) => shown === name)).toEqual([
      ['write_files', 'write_files'],
    ]);
  });

  it('leaves out what comes twice, and what aims at the name of another', () => {
    const [shown = ''] = nameTools(['a.b'], none).originals.keys();
    const { originals, leftOut } = nameTools(['a.b', shown, shown], none);
    expect([...originals]).toEqual([[shown, shown]]);
    expect(leftOut).toEqual([shown, 'a.b']);
    expect(nameTools(['a.b'], new Set([shown])).leftOut).toEqual(['a.b']);
  });
});
