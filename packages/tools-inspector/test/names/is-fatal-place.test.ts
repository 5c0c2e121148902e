import { describe, expect, it } from 'vitest';
import { isFatalPlace } from '../../src/names/is-fatal-place.js';

function at(marked: string): boolean {
  const column = marked.indexOf('⟦');
  return isFatalPlace({ source: marked.replace('⟦', ''), isModule: false, line: 0, column });
}

describe('isFatalPlace', () => {
  it.each([
    'function f(x) { switch (⟦g(x)) { case 1: let y = x; return () => y; } }',
    'function f(x) { switch (h(() => { ⟦g(); })) { case 1: const y = x; return () => y; } }',
    'function f(x) { return class { field = () => this; [⟦g(x)]() {} }; }',
    'class D extends B { field = () => this; static c = ⟦b; }',
    'class D { static { const f = () => this; ⟦f(); } }',
  ])('is so at %s', (marked) => {
    expect(at(marked)).toBe(true);
  });

  it.each([
    'function f(x) { ⟦switch (g(x)) { case 1: let y = x; return () => y; } }',
    'function f(x) { switch (g(x)) { case 1: let y = ⟦x; return () => y; } }',
    'function f(x) { switch (⟦g(x)) { case 1: let y = x; return y; } }',
    'class D { field = () => this; run() { ⟦g(); } }',
    'class D { field = 1; [⟦g()]() {} }',
    'function f() { ⟦g( }',
  ])('is not so at %s', (marked) => {
    expect(at(marked)).toBe(false);
  });
});
