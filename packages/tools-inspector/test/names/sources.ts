import type { Kind } from './stop-everywhere.js';

export interface Source {
  readonly title: string;
  readonly kind: Kind;
  readonly source: string;
  /** Stops in functions that have no answer, in the order of the stops. */
  readonly unsure?: readonly string[];
  /** What V8 shows and is not listed, at which stops: it cannot be named, or is not what the code sees. */
  readonly notListed?: readonly string[];
  /** What can be read though V8 does not show it: the code sees it. */
  readonly notShown?: readonly string[];
}

/** Programs that V8 is stopped in. Every stop counts: what is not run is not tested. */
export const SOURCES: readonly Source[] = [
  {
    title: 'closures and shadowing',
    kind: 'commonjs',
    source: `
      let name = 'top', other = 'top other';
      const seen = () => [name, other];
      function outer(name, unused) {
        const kept = name, dropped = 2;
        let other = 3;
        function middle(kept2) {
          const own = kept + kept2;
          return (deep) => {
            let name = deep;
            { let own = 5; { let kept = own; name += kept; } name += own; }
            return { name, kept2, x: deep.dropped, unused: 1 };
          };
        }
        { const other = 7; middle(other)(1); }
        return middle(1)(2);
      }
      exports.run = () => { outer('a', 'b'); seen(); };
    `,
  },
  {
    title: 'arrows, and where they return',
    kind: 'commonjs',
    source: `
      const top = 1;
      const add = a => b => a + b;
      const wrap = (a) => ({ a });
      const sequence = (a) => (a, [a]);
      const block = (a) => { const c = a; return c };
      function last(f) { return f = x => x}
      function noSemicolon(list) {
        const twice = list.map(x => x * 2)
        return y => twice
      }
      function assigned(f) { let g; if (f) g = x => x; g(1); g = async () => await g; g(); return [1].map(v => [v].map(w => w + v)) }
      exports.run = () => {
        add(1)(2); wrap(1); sequence(1); block(1); last()(1); noSemicolon([1])(2); assigned(1);
        for (const f of [x => x, (x) => top]) f(1);
        return [() => top, top].length ? ((z) => z)(1) : 2;
      };
    `,
    unsure: ['> b => a + b⟦; cons', 'n f = x => x⟦} func', 'n y => twice⟦ } ', 'p(w => w + v⟦)) } e'],
  },
  {
    title: 'classes',
    kind: 'commonjs',
    source: `
      class Top { static make() { return new Top(); } value() { const own = 1; return own; } }
      exports.run = function () {
        const base = 1, key = 'computed', dropped = 2;
        class Base { constructor(a = base) { this.a = a; } }
        class Derived extends Base {
          #hidden = 1;
          static count = base;
          static { var inStatic = 1; let other = 2; const read = () => { return inStatic + other; }; read(); }
          constructor(b) { super(b); const own = Derived.count; this.b = own; }
          get hidden() { return this.#hidden; }
          set hidden(value) { this.#hidden = value; }
          static of(a) { class Inner { m() { return a; } } return new Inner().m(); }
          [key]() { return key; }
          async *items(n) { yield n; }
        }
        // Apart from the other one: Node 20 aborts the process at a stop in what is run to make a class that has both.
        class Fields { #hidden = 2; field = () => { const inField = this.#hidden; return inField; }; }
        const derived = new Derived(1);
        derived.hidden = derived.hidden + 1;
        derived.computed(); Derived.of(2); derived.items(1).next(); new Fields().field();
        const Named = class Own { who() { return Own; } static me() { return 1; } };
        new Named().who(); Named.me();
        Top.make().value();
        return dropped;
      };
    `,
    unsure: [
      ' [⟦key]() { ret',
      'tic count = ⟦base; ',
      ' inStatic = ⟦1; let other',
      'let other = ⟦2; const rea',
      'onst read = ⟦() => { retu',
      '+ other; }; ⟦read(); } ',
      '}; read(); }⟦ c',
      'tic of(a) { ⟦class Inner ',
      'th. ⟦class Fields',
      'nst Named = ⟦class Own { ',
      ' ⟦class Top { ',
    ],
  },
  {
    title: 'classes with private methods',
    kind: 'commonjs',
    source: `
      exports.run = function () {
        class Methods { static #of(a) { return a; } #own(a) { return a; } static go(other) { return other.#of(1); } go() { return this.#own(2); } }
        class Static { static #value = 1; static read() { return this.#value; } }
        Methods.go(Methods); new Methods().go(); Static.read();
        return (class Expression { static #of() { return 1; } static go(a) { const own = a; return a.#of(); } }).go;
      };
      const { run } = exports; exports.run = () => { const go = run(); };
    `,
    unsure: ['ic #value = ⟦1; static re', 'c #value = 1⟦; static rea', ') { ⟦class Method'],
  },
  {
    title: 'direct eval',
    kind: 'commonjs',
    source: `
      const keeps = (kept) => { const f = () => eval('kept'); return f(); };
      function adds(code) { eval(code); const own = typeof added; return own; }
      function without(a) { const indirect = (0, eval)('1'); return a.eval?.(indirect); }
      exports.run = () => { keeps(1); adds('var added = 1'); without(1); };
    `,
    unsure: [
      "{ const f = ⟦() => eval('",
      "al('kept'); ⟦return f(); ",
      "t'); return ⟦f(); }; ",
      "t f = () => ⟦eval('kept')",
      "eval('kept')⟦; return f()",
      ' return f();⟦ }; fu',
      'dds(code) { ⟦eval(code); ',
      'const own = ⟦typeof added',
      'peof added; ⟦return own; ',
      ' return own;⟦ } fun',
    ],
  },
  {
    title: 'with',
    kind: 'commonjs',
    source: `
      exports.run = () => { let a = 1; with ({ a: 2 }) { a += 1; (() => { const b = a; return b; })(); } a++; return a; };
    `,
    unsure: [
      '{ a: 2 }) { ⟦a += 1; (() ',
      ') { a += 1; ⟦(() => { con',
      'return b; })⟦(); } a++; r',
      '{ const b = ⟦a; return b;',
      'a; return b;⟦ })(); } a++',
    ],
  },
  {
    title: 'generators and async functions',
    kind: 'commonjs',
    source: `
      function* numbers(from, to = from + 2) { for (let n = from; n < to; n++) { const got = yield n; got?.(n); } return to; }
      async function* later(list) { for await (const item of list) { try { yield item; } finally { const done = item; done; } } }
      const outside = { async method({ a, ...rest }, [b, , c = 2] = []) { await a; const sum = b + c; return [sum, rest]; } };
      exports.run = async function () {
        for (const n of numbers(1)) n;
        const all = [...numbers(1, 3), ...(function* () { yield* numbers(5); })()];
        for await (const item of later([1, Promise.resolve(2)])) all.push(item);
        await outside.method({ a: 1, d: 2 }, [1]);
        const fails = async (why) => { throw why; };
        await fails(1).catch((error) => error);
        try { await fails(2); } catch { all.length; }
        return all;
      };
    `,
  },
  {
    title: 'parameters that are patterns, which leave their functions early',
    kind: 'commonjs',
    source: `
      let name = 'top', own = 'top own';
      const seen = () => [name, own];
      function given({ name, deep: { list: [first, ...others] } }, own = name) {
        var name2 = name; let name3 = others;
        if (first > 5) { const early = first; return early; }
        if (first > 3) return;
        { let blocked = first; blocked++; }
      }
      function hides(a, read = () => a) { var a = 2; let own = 3; read(); a += own; }
      function rest(...name) { const own = name; const f = () => own; f() }
      const arrow = ({ own }) => { const name = own; return () => name; };
      exports.run = () => {
        for (const first of [1, 4, 6]) given({ name: 'n', deep: { list: [first, 2] } });
        hides(1); rest(1, 2); arrow({ own: 1 })(); seen();
      };
    `,
    unsure: [
      'ead = () => ⟦a) { var a =',
      'ad = () => a⟦) { var a = ',
      '=> own; f() ⟦} cons',
      ' () => name;⟦ }; ex',
    ],
    notListed: ['a at ; a += own; ⟦} func'],
  },
  {
    title: 'blocks, loops, switch and catch',
    kind: 'commonjs',
    source: `
      exports.run = function loops() {
        const kept = [];
        for (let i = 0, n = 2; i < n; i++) { const twice = i * 2; kept.push(() => i + twice); }
        for (const key in { a: 1 }) { kept.push(key); }
        for (var shared of [1]) kept.push(shared);
        for (let [a, { b }] of [[1, { b: 2 }]]) { let a2 = a; kept.push(() => a2, b); }
        let count = -3;
        outer: while (true) { let turn = count++; do { const inner = turn; if (inner > -2) break outer; } while (false); continue outer; }
        switch (count) { case 0: let zero = 0; case 3: zero = 1; { let inCase = zero; } const three = 3; kept.push(() => three); break; default: var other = 1; }
        try { throw { code: 1, why: { text: 'x' } }; } catch ({ code, why: { text } }) { var found = code; let said = text; kept.push(said); }
        try { null.x; } catch (error) { const message = error.message; kept.push(() => error); kept.push(message); } finally { let end = 1; kept.push(end); }
        { let unread; const read = 1; { kept.push(() => read); } }
        for (const f of kept) if (typeof f === 'function') f();
        return found ?? shared ?? other;
      };
    `,
    unsure: ['; } ⟦switch (coun'],
  },
  {
    title: 'returns out of blocks',
    kind: 'commonjs',
    source: `
      let a = 'top', z = 'top', k = 'top', e = 'top'; const seen = () => [a, z, k, e];
      exports.run = () => { seen(); for (const turn of [0, 1, 2, 3, 4]) returns(turn, turn); throwing(); finishing(); searching([1]); hidden(1); };
      function returns(a, b) {
        if (a === 0) { const z = a; return z; }
        { const k = 1; const f = () => k; if (a === 1) return f; }
        { const a = 1; if (b === 2) return a;b++; }
        for (const k of [b]) { if (k === 4) { return seen(); } }
        while (a) { const z = a--; if (b === 4) return z; }
      }
      function throwing() { try { null.x; } catch (e) { return e; } }
      function finishing() { { let k = 1; const f = () => k; try { const z = 1; return f; } finally { const a = 2; seen(); } } }
      function searching(list) { for (const k of list) { const z = () => k; if (z()) return k; } }
      function hidden(e) { { let e = 2; if (e) return a; } }
    `,
    unsure: ['1) return f;⟦ } {', '2) return a;⟦b++; } ', ' { return e;⟦ } } f'],
    notListed: ['e at e) return a;⟦ } } '],
  },
  {
    title: 'switch, whose cases V8 enters early',
    kind: 'commonjs',
    source: `
      // No call in the head of the first: Node 20 aborts the process at a stop in there, and in all that is called from there.
      exports.run = () => { kept(1); dropped(1); around(1); without(1); };
      const see = (...given) => given;
      function kept(three) { const f = () => three; switch (three) { case see(f) && 1: const three = 5; see(() => three); } }
      function dropped(four) { switch (see(four)[0]) { case 1: let four = 5; see(four); } }
      function around(five) { switch ([1].map(x => x + five)[0]) { case 2: const five = 5; return see(five); } }
      function without(six) { switch (see(six)[0]) { case 1: { const six = 5; see(six); } } }
    `,
    unsure: [
      ') => three; ⟦switch (thre',
      ') { switch (⟦see(four)[0]',
      'ped(four) { ⟦switch (see(',
      'switch ([1].⟦map(x => x +',
      '.map(x => x ⟦+ five)[0]) ',
      ' => x + five⟦)[0]) { case',
      'und(five) { ⟦switch ([1].',
      'n see(five);⟦ } } f',
    ],
  },
  {
    title: 'functions in blocks in sloppy mode',
    kind: 'commonjs',
    source: `
      function hidden() { return 'top'; } const keep = () => [hidden, taken]; function taken() {}
      exports.run = function sloppy(given) {
        keep();
        { function inBlock() { return 1; } inBlock(); }
        inBlock();
        if (inBlock) function inIf() { return 2; }
        switch (1) { case 1: function inCase() { return 3; } inCase(); }
        { async function hidden() {} hidden(); }
        { let taken = 1; { function taken() {} taken(); } taken; }
        for (let taken of [1]) { { function taken() {} taken(); } }
        try { throw 1; } catch (caught) { { function caught() {} keep(caught); } }
        label: function labelled() { return 4; }
        labelled(inIf(), inCase());
        return { given };
      };
    `,
    unsure: ['; } ⟦switch (1) {'],
  },
  {
    title: 'functions in blocks in strict mode',
    kind: 'commonjs',
    source: `'use strict';
      function hidden() { return 'top'; }
      const keep = () => [hidden];
      exports.run = () => {
        keep();
        { function hidden() { return 1; } hidden(); { function deeper() { return hidden; } deeper(); } }
        const f = function () { { function hidden() {} hidden(); } return 2; };
        f();
        return hidden();
      };
    `,
  },
  {
    title: 'a function that is strict by itself',
    kind: 'commonjs',
    source: `
      function hidden() { return 'top'; } const keep = () => [hidden];
      exports.run = () => { keep(); strict(); sloppy(); };
      function strict() { 'use strict'; { function hidden() {} hidden(); } const f = () => { { function hidden() {} hidden(); } return 1; }; return f(); }
      function sloppy() { { function hidden() {} hidden(); } return 2; }
    `,
  },
  {
    title: 'names of function expressions',
    kind: 'commonjs',
    source: `
      let own = 'top'; const keep = () => own;
      exports.run = function own(turn = 0) {
        keep();
        if (turn === 0) own(1);
        const unread = function other(own) { const f = () => own; return f(); };
        unread(1);
        const hides = function hidden() { var hidden = 1; return hidden; };
        hides();
        const object = { named() { return object; }, get got() { return 1; }, set got(value) { this.value = value; }, arrow: () => own };
        object.named(); object.got = object.got; object.arrow();
        return turn;
      };
    `,
    unsure: ['return turn;⟦ }; '],
    notShown: ['own is function'],
  },
  {
    title: 'a module',
    kind: 'module',
    source: `
      import { join } from 'node:path';
      import * as url from 'node:url';
      import process from 'node:process';
      const first = 1; let second = 2; var third = 3;
      export const fourth = [first];
      export default class { method(a) { return [a, second]; } }
      const runs = [];
      for (const item of [1, 2]) { let twice = item * 2; runs.push((x) => { const sum = item + twice + x; return sum; }); }
      { const hidden = 1; let dropped = 2; runs.push(function named() { return hidden; }); }
      try { throw 5; } catch (caught) { runs.push(() => caught); }
      export async function run() {
        let second = await 1;
        for (const each of runs) each(second);
        const { join: local } = { join };
        return local('a', url.fileURLToPath('file:///a'), String(process.pid + third));
      }
    `,
  },
  {
    title: 'a script',
    kind: 'script',
    source: `
      let atTop = 1; var alsoAtTop = 2; const runs = [];
      { let inBlock = 3; function fromBlock() { return inBlock; } runs.push(fromBlock, () => inBlock + atTop); }
      for (let i = 0; i < 2; i++) runs.push(() => i);
      switch (1) { case 1: let inSwitch = 1; runs.push(() => inSwitch); }
      function run() { const own = alsoAtTop; for (const each of runs) each(own); (function () { return atTop; })(); }
    `,
    notShown: ['alsoAtTop is number 2', 'fromBlock is function', 'run is function'],
  },
  {
    title: 'names of all kinds, and those that are reserved in places',
    kind: 'commonjs',
    source: `
      exports.run = () => named(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
      function named(größe, 名前, $, _, ℮lse, \\u0061bc, let, yield, static, await, async, of, get, implements, NaN) {
        const o\\u{66}f = [größe, 名前, $, _, ℮lse, abc, 𠮷()];
        return (() => [let, yield, static, await, async, of, get, implements, NaN, off, größe])();
        function 𠮷() {}
      }
    `,
    notListed: [
      'let,yield,static,await,implements at  o\\u{66}f = ⟦[größe, 名前, ',
      'let,yield,static,await,implements at  ℮lse, abc, ⟦𠮷()]; ',
      'implements,await,static,yield,let at ction 𠮷() {⟦} } ',
      'let,yield,static,await,implements at )]; ⟦return (() =',
      'let,yield,static,await,implements at off, größe])⟦(); ',
      'implements,await,static,yield,let at turn (() => ⟦[let, yield,',
      'implements,await,static,yield,let at  off, größe]⟦)(); ',
      'let,yield,static,await,implements at , größe])();⟦ fun',
    ],
  },
  {
    title: 'variables before their declaration',
    kind: 'commonjs',
    source: `
      let later = 'top', dead = 'top'; const keep = () => [later, dead];
      exports.run = function () {
        keep(); const a = 1; { keep(a); let later = 2, dead = 3; keep(later); const f = () => dead; f(); }
        hoisted(); let late = 1; const use = () => late; use(); var hoistedVar = later;
        function hoisted() { return typeof hoistedVar; }
        for (const later of [1, 2]) { keep(later); const g = () => later; g(); }
      };
    `,
  },
  {
    title: 'line ends of all kinds',
    kind: 'commonjs',
    source:
      "\r\nexports.run = function () {\r  const one = 1;\r\n  const two = '\u2028'; const three = 3;\u2029 const f = () => two;\n" +
      '\r\r\n  /* \u2028 */ let four = f();\n\r  return four + one + three;\u2028};',
  },
  {
    title: 'a CommonJS module that returns, with a hashbang',
    kind: 'commonjs',
    source: `#!/usr/bin/env node
      exports.run = (a) => { const b = new.target_ ?? a; return b; };
      if (exports.run) return;
    `.replace('new.target_', 'exports.none'),
  },
];
