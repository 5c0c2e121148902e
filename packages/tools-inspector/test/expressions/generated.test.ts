import { describe, expect, it } from 'vitest';
import { createRealm } from './evaluate-pure.js';

const EXPRESSIONS = 4000;

const { pure, plain } = createRealm(`return {
  n: 3, z: -0, f: 1.5, s: 'a-b', e: '', b: 7n, t: true, u: undefined, l: [1, 'a-b', null, 3], w: ['a', 'b'],
  m: new Map([['a', 1], [3, 'x']]), st: new Set([1, 'a']), o: { a: 1, b: { a: 's' }, l: [1, 2] }, d: new Date(1),
  y: Symbol('q'), fn() {}, nn: NaN, self: { a: 2 } };`);

const words = (text: string) => text.split(' ');
const NAMES = words('n z f s e b t u l w m st o d y fn nn this undefined NaN Infinity Math String');
const LITERALS = words('0 1 -1 2.5 "a" "-" "3" null true 2n ""');
const BETWEEN = words('+ - * / % ** < > <= >= == != === !== in & | ^ << >> >>> && || ??');
const METHODS = words(
  'includes startsWith endsWith indexOf lastIndexOf slice substring trim toUpperCase charAt charCodeAt at split join has get',
);
const FUNCTIONS = words(
  'Math.max Math.floor Number String Boolean Array.isArray Object.keys Number.isInteger Number.isNaN',
);
const FIELDS = words('a b l length size none name');

/** The same expressions for the same seed. */
function createGenerator(seed: number): (depth: number) => string {
  let state = seed;
  const below = (most: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
  const pick = (list: readonly string[]) => list[below(list.length)] ?? '';

  return function generate(depth): string {
    const inner = () => generate(depth - 1);
    const some = () => Array.from({ length: below(3) }, inner).join();
    const forms = [
      () => pick(NAMES),
      () => pick(LITERALS),
      () => `(${inner()} ${pick(BETWEEN)} ${inner()})`,
      () => `(${inner()} ${pick(BETWEEN)} ${inner()})`,
      () => `(${pick(words('! - + ~ typeof void'))} ${inner()})`,
      () => `(${inner()} ? ${inner()} : ${inner()})`,
      () => `\`x\${${inner()}}\${${inner()}}\``,
      () => `${inner()}${pick(words('. ?.'))}${pick(FIELDS)}`,
      () => `${inner()}${pick(['', '?.'])}[${inner()}]`,
      () => `[${some()}]`,
      () => `({ a: ${inner()} })`,
      () => `${inner()}${pick(words('. ?.'))}${pick(METHODS)}(${some()})`,
      () => `${pick(FUNCTIONS)}(${some()})`,
    ];
    return forms[below(depth > 0 ? forms.length : 2)]?.() ?? '';
  };
}

describe.each([1, 2, 3])('expressions that nobody would write, of seed %i', (seed) => {
  it('have the value that the language gives them, or none', () => {
    const generate = createGenerator(seed);
    const texts = new Set(Array.from({ length: EXPRESSIONS }, () => generate(3)));
    expect(texts.size).toBeGreaterThan(EXPRESSIONS / 2);
    const told = [...texts]
      .map((text) => ({ text, value: pure(text) }))
      .filter(({ value }) => value !== 'cannot' && value !== 'not in the language');
    expect(told.length).toBeGreaterThan(EXPRESSIONS / 10);
    expect(told).toEqual(told.map(({ text }) => ({ text, value: plain(text) })));
  });
});
