import { describe, expect, it } from 'vitest';
import { types } from 'node:util';
import vm from 'node:vm';
import { TYPES_SOURCE } from '../../src/lens/types-source.js';
import { createRealm } from './evaluate-pure.js';

const SETUP = `
  const spy = (name) => function () { called.push(name); return 1; };
  const trap = (target) => new Proxy(target, new Proxy({}, { get: (_, key) => (...given) => { called.push('trap ' + String(key)); return Reflect[key](...given); } }));
  class Mine extends Map { get() { called.push('get'); } has() { called.push('has'); } }
  const got = [1, 2]; Object.defineProperty(got, 1, { get: spy('element') });
  const own = ['a']; own.includes = spy('includes');
  const spread = ['a']; Object.defineProperty(spread, 'constructor', { get: spy('constructor') });
  const species = ['a']; species.constructor = { get [Symbol.species]() { called.push('species'); return Array; } };
  const fake = { includes: function includes() { /* [native code] */ called.push('fake'); } };
  const bound = ['a']; bound.includes = spy('bound').bind(null);
  const proxied = ['a']; proxied.includes = trap(Array.prototype.includes);
  const keys = {}; for (let at = 0; at < 1001; at += 1) keys['k' + at] = 1;
  const deep = { own: 1 };
  let chain = { far: 1 }; for (let at = 0; at < 200; at += 1) chain = Object.create(chain);
  return {
    one: 1, text: 'abc', list: ['a'], map: new Map([['a', 1]]), set: new Set(['a']),
    getter: { get a() { called.push('getter'); return 1; } }, proxy: trap({ a: 1 }), proxyList: trap(['a']), proxyFn: trap(function () {}),
    under: Object.create(trap({ a: 1 })), valued: { valueOf: spy('valueOf'), toString: spy('toString'), toJSON: spy('toJSON'), [Symbol.toPrimitive]: spy('toPrimitive') },
    mine: new Mine([['a', 1]]), got, own, spread, species, fake, bound, proxied, keys, chain, wide: Array(2000).fill(1), holes: [1, , 2],
    huge: 'x'.repeat(1e6), vast: 2n ** 4000n, thrower: new RangeError('no'), revoked: (() => { const r = Proxy.revocable([], {}); r.revoke(); return r.proxy; })(),
    mapProxy: trap(new Map([['a', 1]])), tagged: { [Symbol.isConcatSpreadable]: true, length: 3 }, fn: spy('fn'), __proto__x: 1,
    nulls: Object.assign(Object.create(null), { a: 1 }),
  };`;

const LEFT = /^(?:cannot|not in the language)$/;

const CANNOT = [
  'Number.isInteger(valued)',
  'getter.a',
  'getter?.a',
  'getter.a + 1',
  'proxy.a',
  'proxy.a === 1',
  '"a" in proxy',
  '"a" in under',
  'under.a',
  'proxyList.length',
  'proxyList.includes("a")',
  'proxyList[0]',
  'Array.isArray(proxyList)',
  'Array.isArray(revoked)',
  'Object.keys(proxy)',
  'Object.keys(revoked)',
  'valued + 1',
  '+valued',
  '`${valued}`',
  'valued < 1',
  'valued == 1',
  'list[valued]',
  'one[valued]',
  'String(valued)',
  'Number(valued)',
  'text.includes(valued)',
  'list.join(valued)',
  '[valued].join()',
  'text.at(valued)',
  'list.at(valued)',
  'list.slice(valued)',
  'list.includes("a", valued)',
  'Math.max(valued)',
  'valued in list',
  'mine.get("a")',
  'mine.has("a")',
  'got.includes(2)',
  'got[1]',
  'got.join()',
  'got.at(1)',
  'own.includes("a")',
  'spread.slice()',
  'species.slice()',
  'fake.includes("a")',
  'bound.includes("a")',
  'proxied.includes("a")',
  'Object.keys(keys)',
  'wide.includes(2)',
  'holes.join()',
  'huge + "a"',
  'huge.includes("y")',
  'text.includes(huge)',
  'huge.split("")',
  '`${huge}`',
  'vast + 1n',
  'vast > 1',
  '`${vast}`',
  'String(vast)',
  'Number(vast)',
  'mapProxy.get("a")',
  'mapProxy.size',
  'fn()',
  'fn.call(1)',
  'fn.apply()',
  'fn.bind(1)',
  'thrower.stack',
  '"stack" in thrower',
  'Math.random()',
  'chain.far',
  'one.toFixed()',
  'valued.toString()',
  'text.__proto__',
  'list.__proto__',
  'list.concat(tagged)',
  'text.replace("a", fn)',
  'list.map(fn)',
  'list.find(fn)',
  'text.constructor("a")',
  'Object.constructor("return 1")',
  'Array.from(list)',
  'Object.assign(list, list)',
  'set.add(1)',
  'map.set(1, 2)',
  'list.push(1)',
  'text.repeat(9)',
  'text.padEnd(9)',
  'Array.prototype.push(1)',
  'proxyFn()',
  'proxyFn.name',
];

const TOLD: readonly (readonly [string, string])[] = [
  ['typeof proxy', '"object"'],
  ['!proxy', 'false'],
  ['proxy === proxy', 'true'],
  ['proxy == null', 'false'],
  ['proxy && one', '1'],
  ['Boolean(valued)', 'true'],
  ['[proxy]', '[Proxy]'],
  ['[getter, valued].length', '2'],
  ['map.get(proxy)', 'undefined'],
  ['list.includes(valued)', 'false'],
  ['huge.length', '1000000'],
  ['nulls.a', '1'],
  ['nulls.constructor', 'undefined'],
  ['({ a: proxy })', '{ a: Proxy }'],
  ['text.constructor', '[Function String]'],
];

describe('an application that waits for the evaluator', () => {
  it.each(CANNOT)('is left to V8: %s', (text) => {
    const { pure, calls } = createRealm(SETUP);
    calls.length = 0;
    expect(pure(text)).toMatch(LEFT);
    expect(calls).toEqual([]);
  });

  it.each(TOLD)('is not called: %s', (text, value) => {
    const { pure, calls } = createRealm(SETUP);
    calls.length = 0;
    expect([pure(text), calls]).toEqual([value, []]);
  });

  it.each([
    [
      "Array.prototype.includes = function includes() { called.push('no'); };",
      ['list.includes("a")', '[1].includes(1)', 'text.split("").includes("a")'],
    ],
    ["Map.prototype.get = function get() { called.push('no'); };", ['map.get("a")']],
    [
      "String.prototype.includes = new Proxy(String.prototype.includes, { apply() { called.push('no'); } });",
      ['text.includes("a")'],
    ],
    ["String.prototype[Symbol.split] = function () { called.push('no'); };", ['text.split("b")']],
    [
      "Object.defineProperty(Array.prototype, 'join', { get() { called.push('no'); } });",
      ['list.join()', '[1].join()'],
    ],
    ["Math.max = () => called.push('no');", ['Math.max(1)']],
    [
      "Object.defineProperty(globalThis, 'Math', { get() { called.push('no'); } });",
      ['Math.max(1)', 'Math.PI'],
    ],
    ["globalThis.Math = new Proxy(Math, { get() { called.push('no'); } });", ['Math.max(1)', 'Math.PI']],
    ['globalThis.String = () => called.push(1);', ['String(1)']],
    ["Array.prototype.constructor = { get [Symbol.species]() { called.push('no'); } };", ['list.slice()']],
    ["Object.defineProperty(Array, Symbol.species, { get() { called.push('no'); } });", ['list.slice()']],
    [
      "Object.setPrototypeOf(Object.prototype.__proto__ === null ? Array.prototype : {}, new Proxy({}, { get() { called.push('no'); } }));",
      ['list.none', '[].none'],
    ],
  ])('has replaced what belongs to the language: %s', (change, expressions) => {
    const { pure, calls, run } = createRealm(SETUP);
    calls.length = 0;
    run(change);
    expect(expressions.map(pure)).toEqual(expressions.map(() => 'cannot'));
    expect(calls).toEqual([]);
  });

  it('has setters for what is made', () => {
    const { pure, calls, run } = createRealm(SETUP);
    run(`const D = { __proto__: null, configurable: true }; D.set = () => called.push('set'); D.get = () => called.push('get');
      for (const [holder, key] of [[Array.prototype, '0'], [Object.prototype, 'made'], [Object.prototype, 'value'], [Object.prototype, 'get']])
      Object.defineProperty(holder, key, D);`);
    expect(pure('[one]')).toBe('[1]');
    expect(pure('({ made: one })')).toBe('{ made: 1 }');
    expect(pure('text.split("b")')).toBe('["a", "c"]');
    expect(calls).toEqual([]);
  });
});

describe('values that are large', () => {
  const { pure } = createRealm(
    "const huge = 'x'.repeat(1e6); return { huge, twin: 'x'.repeat(1e6), list: [huge], map: new Map([[huge, 1]]), big: 2n ** 9000n, boxed: new String(huge) };",
  );

  it.each([
    'huge === twin',
    'huge !== twin',
    'big === big + 0n',
    'list.includes(twin)',
    'list.indexOf(twin)',
    'map.has(twin)',
    'map.get(twin)',
    'Object.keys(boxed)',
  ])('are left to V8: %s', (text) => {
    expect(pure(text)).toBe('cannot');
  });

  it('are told without a list of their parts', () => {
    expect(pure('[boxed][0] && { boxed }')).toMatch(/boxed: \[String: "x{50}/);
  });

  it('are not called for more than eight times', () => {
    const calls = (times: number) => Array(times).fill('list.includes("a")').join('||');
    expect(pure(calls(8))).toBe('false');
    expect(pure(calls(9))).toBe('not in the language');
  });
});

describe('an application that has other functions in util.types', () => {
  it.each(['isProxy', 'isMap', 'isDate'])('has none of them called: %s', (name) => {
    const source = `(() => { const types = { ...nodeTypes }; let called = 0; types[name] = () => { called += 1; };
      try { (${TYPES_SOURCE})(types); } catch (error) { return [called, error.message]; } })()`;
    expect(vm.runInNewContext(source, { nodeTypes: types, name })).toEqual([
      0,
      `util.types.${name} is not what Node has there`,
    ]);
  });

  it('has no other one looked at', () => {
    const source = `(${TYPES_SOURCE})({ ...nodeTypes, isTypedArray: () => { throw new Error('called'); } }).isTypedArray(new Uint8Array())`;
    expect(vm.runInNewContext(source, { nodeTypes: types })).toBe(true);
  });
});
