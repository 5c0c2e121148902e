import { describe, expect, it } from 'vitest';
import { parsePath } from '../../src/root/parse-path.js';

describe('parsePath', () => {
  it.each([
    ['a.txt', ['a.txt']],
    ['./hello//b.txt', ['hello', 'b.txt']],
    ['hello/../a.txt', ['a.txt']],
    ['.', []],
    ['', []],
    ['hello/deep/../..', []],
    ['routes/$id.tsx', ['routes', '$id.tsx']],
    ['notes~', ['notes~']],
    ['...', ['...']],
    ['%2e%2e/x', ['%2e%2e', 'x']],
    ['日本/é.txt', ['日本', 'é.txt']],
  ])('takes %j apart', (path, segments) => {
    expect(parsePath(path)).toMatchObject({ segments });
  });

  it.each([
    ['..', 'leaves the root'],
    ['../root-evil/a', 'leaves the root'],
    ['a/../../a', 'leaves the root'],
    ['/etc/passwd', 'absolute path'],
    ['//etc/passwd', 'absolute path'],
    ['~', "'~'"],
    ['~root/x', "'~'"],
    ['$HOME/x', 'variable'],
    ['a/${HOME}/x', 'variable'],
    ['$(pwd)', 'variable'],
    ['%APPDATA%/x', 'variable'],
    ['a\0b', 'control character'],
    ['a\nb', 'control character'],
    ['..\\..\\etc', 'backslash'],
    ['gpj.\u202ejs', 'direction of text'],
    ['a\u200bb.js', 'invisible characters'],
    ['C:/Windows', 'drive or a URL'],
    ['c:', 'drive or a URL'],
    ['file:///etc/passwd', 'drive or a URL'],
    ['\ud800.txt', 'surrogate'],
    ['x'.repeat(256), '255 bytes'],
    ['a/'.repeat(65), '64 folders'],
  ])('refuses %j', (path, why) => {
    expect(parsePath(path)).toEqual({ problem: expect.stringContaining(why) });
  });

  it('says when a path names a folder', () => {
    const named = ['a/', 'a/.', 'a/b/..', '.', ''].map((path) => parsePath(path));
    expect(named).toEqual(named.map(() => expect.objectContaining({ namesFolder: true })));
    expect(parsePath('a..')).toMatchObject({ namesFolder: false });
  });
});
