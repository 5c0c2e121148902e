import { describe, expect, it } from 'vitest';
import { visibleNames } from '../../src/names/visible-names.js';
import type { VisibleNames } from '../../src/names/visible-names.js';

const HERE = '⟦';

/** The answer for a source where V8 stops at the mark, which is no part of it. */
function namesAt(marked: string, isModule = false): VisibleNames | undefined {
  const before = marked.slice(0, marked.indexOf(HERE)).split('\n');
  const column = before.at(-1)?.length ?? 0;
  return visibleNames({ source: marked.replace(HERE, ''), isModule, line: before.length - 1, column });
}

const listed: readonly (readonly [title: string, source: string, variables: string, more: string])[] = [
  ['innermost first', 'let a; function f(b, c) { let d; { let e, b; ⟦g(); } }', 'e b c d', 'a f'],
  ['what is declared below', 'function f() { ⟦g(); var a; let b; { var c; let d; } }', 'a b c', 'f'],
  ['patterns', 'function f({ a, b: [c, ...d] }, e = 1, ...g) { ⟦g(); }', 'a c d e g', 'f'],
  ['what nested functions name', 'function f(a, b) { return () => { ⟦g(a); } }', 'a', 'f b'],
  [
    'the hidden as if not there',
    'function f(a) { k(() => a); return (b) => { { let a; return () => { ⟦g(); } } } }',
    '',
    'a b f',
  ],
  ['each name once', 'function a(a) { { let a; ⟦g(); } }', 'a', ''],
  ['functions in blocks', 'function f() { { function a() {} ⟦g(); } { function b() {} } }', 'a b', 'f'],
  [
    'fewer in strict code',
    '"use strict"; function f() { { function a() {} ⟦g(); } { function b() {} } }',
    'a',
    'f',
  ],
  ['a name that hides itself', 'k(function f() { var f; ⟦g(); })', 'f', ''],
  ['a return without what its blocks had', 'function f(a, b) { { let c, b; return a;⟦ } }', 'a', 'f'],
  ['a return where its blocks still are', 'function f(a, b) { { let c, b; ⟦return a; } }', 'c b a', 'f'],
  ['the head of a loop without its variables', 'function f(a, b) { for (const b of ⟦g()) {} }', 'a', 'f'],
  ['a loop with its variables', 'function f(a, b) { for (const c of g()) ⟦h(); }', 'c a b', 'f'],
  ['an arrow that returns', 'function f(a) { return k(b => a⟦); }', 'b a', 'f'],
  ['an arrow of a field', 'class A { b = (c) => { ⟦g(); }; }', 'c', 'A'],
  ['a class that its members name', 'class A { b() { ⟦g(); } c() { A; } }', 'A', ''],
  ['a class for its private methods', 'class A { b() { ⟦g(); } static #c() {} }', 'A', ''],
  ['no label', 'function f() { a: for (const b of c) { ⟦g(); continue a; } }', 'b', 'f'],
  ['no reserved name', 'function f(a, let, yield, static, arguments, eval) { ⟦g(); }', 'a', 'f'],
  ['a name as it is meant', 'function f(\\u0061, ä) { ⟦g(); }', 'a ä', 'f'],
  ['what is after a hashbang', '#!/usr/bin/env node\nfunction f(a) {\n  ⟦g(); }', 'a', 'f'],
  ['a module that returns', 'if (a) return; function f(b) { ⟦g(); }', 'b', 'f'],
];

const unsure: readonly (readonly [title: string, source: string])[] = [
  ['the top level', 'let a; ⟦g();'],
  ['a block of the top level', '{ let a; ⟦g(); }'],
  ['a parameter', 'function f(a, b = ⟦g()) {}'],
  ['a function in a parameter', 'function f(a, b = () => { ⟦g(); }) { var a; }'],
  ['a name in a parameter', 'function f({ [⟦g()]: a }) {}'],
  ['a field', 'function f(a) { class A { b = ⟦g(); } }'],
  ['a computed key', 'function f(a) { class A { [⟦g()]() {} } }'],
  ['a static block', 'function f(a) { class A { static { ⟦g(); } } }'],
  ['where a class begins', 'function f(a) { ⟦class A {} }'],
  ['with', 'function f(a) { with (a) { ⟦g(); } }'],
  ['a function in with', 'with (a) { k(function f(b) { ⟦g(); }); }'],
  ['a direct eval', 'function f(a) { eval(a); ⟦g(); }'],
  ['a direct eval further in', 'function f(a) { ⟦g(); return () => eval(a); }'],
  ['a direct eval further out', 'eval(a); function f(b) { ⟦g(); }'],
  ['a hidden globalThis', 'function f(globalThis) { ⟦g(); }'],
  ['a globalThis of the top level', 'const globalThis = 1; function f(a) { ⟦g(); }'],
  ['a name of ours', 'function f($agentAt) { ⟦g(); }'],
  ['the head of a switch', 'function f(a) { switch (⟦g()) { case 1: let a; } }'],
  ['a switch', 'function f(a) { ⟦switch (a) { case 1: let a; } }'],
  ['two arrows that return', 'k(a => b => a⟦)'],
  ['a return where something begins', 'function f(a) { { let b; if (a) return b;⟦g(); } }'],
  ['a return of what is kept', 'function f(a) { { let b; k(() => b); return a;⟦ } }'],
  ['what is no code', 'function f(a) { ⟦g( }'],
  ['a module in a script', 'import a from "a"; function f(b) { ⟦g(); }'],
];

describe('visibleNames', () => {
  it.each(listed)('lists %s', (_title, source, variables, more) => {
    const found = namesAt(source);
    expect(found?.variables).toEqual(split(variables));
    expect(new Set(found?.declared)).toEqual(new Set([...split(variables), ...split(more)]));
  });

  it('lists what a module imports among what is declared', () => {
    const source =
      'import a, { b as c } from "a"; import * as d from "d"; export default function f(e) { ⟦g(); }';
    expect(namesAt(source, true)).toEqual({ variables: ['e'], own: 1, declared: ['e', 'a', 'c', 'd', 'f'] });
  });

  it.each(unsure)('says nothing of %s', (_title, source) => {
    expect(namesAt(source)).toBeUndefined();
  });

  it('says nothing of a place that is not there', () => {
    const source = 'function f(a) { g(); }';
    expect(visibleNames({ source, isModule: false, line: 0, column: 16 })).toBeDefined();
    expect(visibleNames({ source, isModule: false, line: 0, column: 99 })).toBeUndefined();
    expect(visibleNames({ source, isModule: false, line: 1, column: 0 })).toBeUndefined();
  });
});

function split(names: string): readonly string[] {
  return names === '' ? [] : names.split(' ');
}
