import { afterAll, beforeAll, expect, it } from 'vitest';
import { offsetOf } from '../../src/names/offset-of.js';
import { visibleNames } from '../../src/names/visible-names.js';
import { openStops } from './stop-everywhere.js';
import type { Stops } from './stop-everywhere.js';

/** It says at many places what it sees: V8 may show something else at a stop there. */
const SOURCE = `
  const v = 'top';
  exports.run = async () => {
    plain(1); loops(1); captured(1); catches(1); conditions(1); fields(1); for (const each of yields(1)) each; await later(1);
    returns(1); hoists(1); patterns({ v: 1 }); strict(1); sees();
  };
  function sees() { see('top', v); return () => v; }
  function plain(v) { see('p1', v); { let v = 2; see('p2', v); { var w = 3; let v = 4; see('p3', v, w); } see('p4', v); } see('p5', v, w); }
  function loops(v) {
    for (let v = see('l1'), w = 5; see('l2', v, w), w < 7; see('l3', v, w), w++) { let v = w * 2; see('l4', v, w); }
    for (const v of [8, 9]) { see('l5', v); { const v = 10; see('l6', v); } see('l7', v); }
    for (const v in { a: 1 }) see('l8', v);
    for (var x of [v]) see('l9', v, x);
    do { let v = 11; see('l10', v); } while (see('l11', v) === 2);
    while (see('l12', v) === 2) { }
    if (see('l13', v)) { let v = 12; see('l14', v); } else { let v = 13; see('l15', v); }
    label: { let v = 14; see('l16', v); if (v) break label; }
    see('l17', v, x);
  }
  function captured(v) {
    const f = [() => v];
    for (let v = 5, w = 5; see('k2', v, w), w < 7; see('k3', v, w), w++) { let u = v; f.push(() => [u, v, w]); see('k4', u, v, w); v++; }
    for (const v of [8, 9]) { see('k5', v); f.push(() => v); { const v = 10; f.push(() => v); see('k6', v); } see('k7', v); }
    do { let v = 11; f.push(() => v); see('k10', v); } while (see('k11', v) === 2);
    { let v = 12; f.push(() => { see('k13', v); { let v = 13; f.push(() => v); see('k14', v); } return see('k15', v); }); see('k16', v); }
    for (const g of f.slice()) g();
    see('k17', v);
  }
  function catches(v) {
    try { let v = 2; see('c1', v); throw { v: 3 }; } catch ({ v, w = see('c2') }) { see('c3', v, w); let u = 4; see('c4', u, v); } finally { let v = 5; see('c5', v); }
    try { let v = 2; (() => v)(); throw 6; } catch (v) { (() => v)(); { let v = 7; see('c6', v); (() => v)(); } see('c7', v); } finally { see('c8', v); }
    try { throw 8; } catch { see('c9', v); }
    see('c10', v);
  }
  function conditions(v) {
    const a = v ? see('o1', v) : 0, b = [v].map((v) => see('o2', v) + 1).map(v => see('o3', v)), c = \`\${see('o4', v, b.length)}\`;
    const d = { v: see('o5', v), [see('o6', v)]: 1, get v2() { return see('o7', v); }, v3(v) { return see('o8', v); } };
    d.v2; d.v3(2); see('o9', v)?.toString(); void see('o10', v, a), see('o11', v, c);
    switch (v) { case see('o12', v): { let v = 3; see('o13', v); } default: see('o14', v); }
    switch (v) { case see('o15', a): let v = 4; see('o16', v); case 5: see('o17', v); }
    switch (a) { case see('o18', a): let v = 5; see('o19', v); (() => v)(); }
    see('o20', v);
  }
  function fields(v) {
    class A { w = v; go(v) { see('f1', v); return () => see('f2', v, A === this.constructor); } static of() { return see('f3', v); } set(v) { { let v = 3; see('f4', v); } } #v() { return see('f5', v); } hidden() { this.#v(); } }
    const a = new A(); a.go(2)(); A.of(); a.set(1); a.hidden(); see('f6', v);
    class B extends A { constructor(v) { super(see('f7', v)); see('f8', v); const w = v; see('f9', v, w); } go() { return super.go(see('f10', v)); } }
    new B(7).go();
  }
  function* yields(v) { see('y1', v); { let v = yield 2; see('y2', v); (() => v)(); yield* [see('y3', v)]; } see('y4', v); try { let v = 3; yield v; see('y5', v); } finally { see('y6', v); } }
  async function later(v) {
    await see('a1', v); { let v = await 2; see('a2', v); (() => v)(); await null; see('a3', v); }
    for await (const v of [3]) { see('a4', v); } try { let v = 4; await Promise.reject(v); } catch (v) { await null; see('a5', v); }
    return see('a6', v);
  }
  function returns(v) {
    const g = (w) => { { let v = 2; if (w === 1) return see('r1', v, w); } if (w === 2) return see('r2', v, w); try { let v = 3; return see('r3', v, w); } finally { see('r4', v, w); } };
    g(1); g(2); g(3); for (const v of [4]) { (() => v)(); return see('r5', v); }
  }
  function hoists(v) {
    see('h1', v, typeof w); { function w() {} see('h2', v, w); } see('h3', w); { let w = 2; see('h4', w); { function w() {} see('h5', w); } see('h6', w); }
    (function v() { see('h7', v); })(); (function v() { var v = 3; see('h8', v); })(); (function v(v) { see('h9', v); })(4); (() => { var v; see('h10', v); })(); if (v) { var v; see('h11', v); }
  }
  function patterns({ v }, w = v, f = () => v) { see('t1', v, w); var v = 2; see('t2', v); { let w = 3; see('t3', v, w); } return f(), see('t4', v, w); }
  function strict(v) { 'use strict'; { function v() {} see('s1', v); } see('s2', v); }
`;
/** V8 stops before the call, with its arguments yet to be read. */
const CALL = /^(?:return )?see\('(\w+)', ([\w, ]+)\)/;

let stops: Stops;
beforeAll(async () => {
  stops = await openStops();
});
afterAll(() => stops.close());

it('names what the code sees', async () => {
  const read: Record<string, readonly string[]> = {};
  const unsure = new Set<string>();
  const seen = await stops.visit('commonjs', SOURCE, async (stop) => {
    const { line, column } = stop;
    const call = CALL.exec(SOURCE.slice(offsetOf(SOURCE, line, column)));
    const [label, names] = [call?.[1], call?.[2]?.split(', ')];
    if (label === undefined || names === undefined) return;
    const answer = visibleNames({ source: SOURCE, isModule: false, line, column });
    if (answer === undefined) unsure.add(label);
    else if (names.every((name) => answer.declared.includes(name))) read[label] ??= await stop.read(names);
  });
  const compared = Object.entries(seen).filter(([label]) => label in read);
  expect(read).toEqual(Object.fromEntries(compared));
  expect([...unsure]).toEqual([]);
  expect(compared.length).toBe(104);
});
