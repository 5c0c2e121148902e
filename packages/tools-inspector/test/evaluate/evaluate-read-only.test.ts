import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CdpConnection } from '../../src/cdp/cdp-connection.js';
import { connectInProcess } from '../../src/cdp/connect-in-process.js';
import { evaluateReadOnly } from '../../src/evaluate/evaluate-read-only.js';
import { renderEvaluation } from '../../src/evaluate/render-evaluation.js';
import { DEFAULT_VALUE_LIMITS } from '../../src/render/value-tree.js';
import { createWorker } from '../support/start-worker.js';
import type { StartedWorker } from '../support/start-worker.js';

let worker: StartedWorker;
let connection: CdpConnection;
beforeAll(async () => {
  worker = await createWorker();
  connection = await connectInProcess(worker.threadId);
});
afterAll(async () => {
  await connection?.close();
  await worker?.terminate();
});

const signal = new AbortController().signal;

function evaluate(expression: string, timeoutMs = 2000) {
  return evaluateReadOnly(connection, expression, { timeoutMs, limits: DEFAULT_VALUE_LIMITS, signal });
}

async function show(expression: string): Promise<string> {
  const evaluation = await evaluate(expression);
  if (evaluation.kind !== 'value' && evaluation.kind !== 'preview') return `<${evaluation.kind}>`;
  return renderEvaluation(evaluation).text;
}

describe('a value', () => {
  it.each([
    ['1 + 1', '2'],
    ['-0', '-0'],
    ['NaN', 'NaN'],
    ['-Infinity', '-Infinity'],
    ['undefined', 'undefined'],
    ['null', 'null'],
    ['true', 'true'],
    ['10n', '10n'],
    ['2n ** 2000n', `${String(2n ** 2000n).slice(0, 120)}…`],
    ['Symbol("s")', 'Symbol(s)'],
    ['"quote \\" and\\nline"', '"quote \\" and\\nline"'],
    ['"é, 日本, 🎈"', '"é, 日本, 🎈"'],
    ['() => 1', '[Function (anonymous)]'],
    ['handle', '[Function (anonymous)]'],
    ['class A {}', '[class A]'],
    ['[1,,3]', '[1, <empty>, 3]'],
    ['[undefined, null]', '[undefined, null]'],
    [
      '({ a: 1, "b c": 2, [Symbol("k")]: 3, __proto__: null })',
      '[no prototype] { a: 1, "b c": 2, [Symbol(k)]: 3 }',
    ],
    ['{ a: 1 }', '{ a: 1 }'],
    ['({ ["__proto__"]: 1 })', '{ __proto__: 1 }'],
    ['({})', '{}'],
    ['[]', '[]'],
    ['new Uint8Array([1, 2])', 'Uint8Array(2) [1, 2]'],
    ['new ArrayBuffer(8)', 'ArrayBuffer(8 bytes)'],
    ['new Date(0)', 'Date 1970-01-01T00:00:00.000Z'],
    ['new Date(NaN)', 'Date invalid'],
    ['state.rows', 'Map(2) { "a" => { id: 1 }, "b" => { id: 2 } }'],
    ['state.tags', 'Set(2) { "x", "y" }'],
    ['foo', 'Foo { shown: 2 }'],
    ['plainProxy', '{ a: 1 }'],
    ['[revokedProxy]', '[<unreadable>]'],
    ['[trappedProxy].length', '1'],
    ['foreign.map', 'Map(1) { 1 => 2 }'],
    ['foreign.date', 'Date 1970-01-01T00:00:00.000Z'],
    ['JSON.stringify({ a: [1] })', '"{\\"a\\":[1]}"'],
    ['(() => { const a = {}; a.a = a; return a; })()', '{ a: [Circular, 1 up] }'],
    ['circular', '{ name: "loop", list: [[Circular, 2 up]], self: [Circular, 1 up] }'],
    ['deep', '{ a: { b: { c: { d: { … 1 more } } } } }'],
    ['1 // with a comment', '1'],
  ])('%s is shown as %s', async (expression, text) => {
    expect(await show(expression)).toBe(text);
  });

  it('shows getters without calling them', async () => {
    expect(await show('state')).toContain('trap: [Getter]');
    expect(await show('typeof trapped')).toBe('"undefined"');
  });

  it('shows an error with its stack and its own properties', async () => {
    const text = await show('failure');
    expect(text).toMatch(
      /^\[TypeError: id is not a function\] \{ cause: "test", code: "E_ID" \}\nTypeError: id is not a function\n {4}at /,
    );
    expect(await show('[foreign.error]')).toBe('[[RangeError: far]]');
  });

  it('shows a huge string by its start', async () => {
    const evaluation = await evaluate('"x".repeat(5e7)', 5000);
    if (evaluation.kind !== 'value') throw new Error(`It came to ${evaluation.kind}`);
    const { text, truncated } = renderEvaluation(evaluation);
    expect(text).toBe(`"${'x'.repeat(16_000)}"… (49984000 more characters)`);
    expect(truncated).toBe(true);
  });

  it('cuts no character in two', async () => {
    const text = await show('[emoji]');
    expect(text).toContain(`${'a'.repeat(399)}"… (`);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });

  it('shows the first entries of what is wide or long, within a fixed size', async () => {
    expect(await show('wide')).toMatch(/^\{\n {2}key0: 0,[^]*key49: 49,\n {2}… 4950 more\n\}$/);
    expect(await show('long')).toMatch(
      /^Array\(100000\) \[\n {2}\{ i: 0 \},[^]*\{ i: 49 \},\n {2}… 99950 more\n\]$/,
    );
    for (const expression of [
      'globalThis',
      'process',
      'process.env',
      'Array.from({ length: 50 }, () => Array.from({ length: 50 }, () => "y".repeat(1000)))',
    ]) {
      expect((await show(expression)).length).toBeLessThan(25_000);
    }
  });

  it('shows by its preview what cannot be looked into without side effects', async () => {
    expect(await show('trappedProxy')).toBe('Proxy(Object) (it cannot be looked into without side effects)');
    expect(await show('typeof trapped')).toBe('"undefined"');
  });
});

describe('an expression that throws', () => {
  it.each([
    ['(() => { throw { a: 1 } })()', 'The expression threw { a: 1 }'],
    ['(() => { throw undefined })()', 'The expression threw undefined'],
  ])('%s: %s', async (expression, text) => {
    expect(await show(expression)).toBe(text);
  });

  it('tells an error and where it comes from', async () => {
    expect(await show('nowhere.to.be.found')).toMatch(
      /^The expression threw \[ReferenceError: nowhere is not defined\]\nReferenceError/,
    );
    expect(await show('null.x')).toContain("TypeError: Cannot read properties of null (reading 'x')");
  });
});

describe('an expression with side effects', () => {
  it.each([
    'state.count = 99',
    'globalThis.made = 1',
    'delete state.count',
    'state.count++',
    'Object.assign(state, { count: 2 })',
    'state.rows.set("c", 1)',
    'state.rows.delete("a")',
    'state.tags.add("z")',
    'long.sort()',
    'long.push(1)',
    'Object.freeze(state)',
    'Object.setPrototypeOf(state, null)',
    'state.trap',
    'foo.bar',
    'console.log(1)',
    'setTimeout(() => {})',
    'queueMicrotask(() => {})',
    'new Promise(() => {})',
    'import("node:fs")',
    'fetch("http://127.0.0.1:1")',
    'process.exit(7)',
    'process.memoryUsage()',
    'process.env.MADE = "1"',
    'eval("1")',
    'new Function("return 1")()',
    'pattern.exec("aa")',
    '(() => { try { state.count = 99 } catch { return 1 } finally { state.count = 98 } })()',
  ])('%s is refused', async (expression) => {
    expect((await evaluate(expression)).kind).toBe('side_effect');
  });

  it('has changed nothing', async () => {
    expect(
      await show(
        '[state.count, typeof made, typeof trapped, state.rows.size, state.tags.size, long.length, long[1].i]',
      ),
    ).toBe('[1, "undefined", "undefined", 2, 2, 100000, 1]');
    expect(await show('[typeof MADE, process.env.MADE, Object.isFrozen(state), pattern.lastIndex]')).toBe(
      '["undefined", undefined, false, 0]',
    );
    expect(await worker.ask('double', 2)).toBe(4);
  });
});

describe('what is no expression', () => {
  it.each([
    'while (true) {}',
    'const a = 1',
    'a b',
    '1; 2',
    'return 1',
    'await 1',
    'x), process.exit(1), (',
    '}',
    '/*',
    ')',
  ])('%s is named as such', async (expression) => {
    expect((await evaluate(expression)).kind).toMatch(/^(syntax|side_effect)$/);
  });

  it('cannot break out of its place to change anything', async () => {
    const escapes = [
      '1); }, {}); state.count = 5; (function () { return (1',
      '1)), (state.count = 5, (2',
      '1); state.count = 5; (2',
    ];
    for (const escape of escapes) await evaluate(escape).catch(() => {});
    expect(await show('state.count')).toBe('1');
  });
});

describe('an expression that takes too long', () => {
  it.each([
    '(() => { while (true) {} })()',
    '(() => { try { while (true) {} } catch { return 1 } })()',
    '/(a+)+$/.test("a".repeat(50) + "b")',
  ])('%s is stopped, and the worker lives on', async (expression) => {
    const evaluation = await evaluate(expression, 60);
    expect(['timeout', 'side_effect']).toContain(evaluation.kind);
    expect(await worker.ask('double', 3)).toBe(6);
  });

  it('is told from one that is refused', async () => {
    expect(await evaluate('(() => { while (true) {} })()', 60)).toEqual({ kind: 'timeout' });
  });
});
