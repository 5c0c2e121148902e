import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { foreignInput } from '../../../src/registry/schemas/foreign-input.js';

/** What a provider of models would get for a tool with this schema, and how its arguments are checked. */
function shown(schema: unknown) {
  const found = foreignInput(schema);
  if (!found.ok) throw new Error(found.problem);
  const { $schema: _dialect, ...json } = z.toJSONSchema(found.input, { io: 'input' });
  const accepts = (args: unknown) => found.input.safeParse(args).success;
  return { json, accepts, input: found.input };
}

const open = { type: 'object', properties: {}, additionalProperties: {} };

const keys = (count: number, value: unknown) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]));

/** Definitions of which each refers to the next. */
const chainLinks = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`d${index}`, { $ref: `#/$defs/d${index + 1}` }]),
  );

describe('foreignInput', () => {
  it.each([
    [undefined],
    [null],
    [true],
    [{}],
    [{ type: 'object' }],
    [[]],
    ['text'],
    [{ title: 'nothing else' }],
  ])('takes any object where the schema is %j', (schema) => {
    const { json, accepts } = shown(schema);
    expect(json).toEqual(open);
    expect(accepts({ anything: [1] })).toBe(true);
    expect(accepts('text')).toBe(false);
  });

  it('keeps what every provider takes', () => {
    const { json, accepts } = shown({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'A name' },
        age: { type: 'number', minimum: 0 },
        kind: { enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
        nested: {
          type: 'object',
          properties: { x: { type: 'boolean' } },
          required: ['x'],
          additionalProperties: false,
        },
      },
      required: ['name'],
      additionalProperties: false,
    });
    expect(json).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 1, description: 'A name' },
        age: { type: 'number', minimum: 0 },
        kind: { type: 'string', enum: ['a', 'b'] },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 3 },
        nested: {
          type: 'object',
          properties: { x: { type: 'boolean' } },
          required: ['x'],
          additionalProperties: false,
        },
      },
      required: ['name'],
      additionalProperties: false,
    });
    expect(accepts({ name: 'x' })).toBe(true);
    expect(accepts({ name: '' })).toBe(false);
    expect(accepts({ name: 'x', more: 1 })).toBe(false);
  });

  it.each(['anyOf', 'oneOf'])('makes one object of the alternatives of a root %s', (keyword) => {
    const { json, accepts } = shown({
      [keyword]: [
        {
          type: 'object',
          properties: { a: { type: 'string' }, both: { type: 'number' } },
          required: ['a', 'both'],
        },
        {
          type: 'object',
          properties: { b: { type: 'string' }, both: { type: 'string' } },
          required: ['b', 'both'],
        },
        { type: 'null' },
      ],
    });
    expect(json).toEqual({
      type: 'object',
      properties: {
        a: { type: 'string' },
        b: { type: 'string' },
        both: { type: ['number', 'string'] },
      },
      required: ['both'],
      additionalProperties: {},
    });
    expect(accepts({ b: 'x', both: 'y' })).toBe(true);
  });

  it('keeps the properties beside alternatives that only say what is required', () => {
    const { json } = shown({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    });
    expect(json).toEqual({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'string' } },
      additionalProperties: {},
    });
  });

  it('adds up the parts of allOf, by way of references, too', () => {
    const { json } = shown({
      allOf: [{ $ref: '#/$defs/base' }, { properties: { b: { $ref: '#/$defs/word' } }, required: ['b'] }],
      $defs: {
        base: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'] },
        word: { allOf: [{ type: 'string' }], description: 'A word' },
      },
    });
    expect(json).toMatchObject({
      type: 'object',
      properties: { a: { type: 'integer' }, b: { type: 'string', description: 'A word' } },
      required: ['a', 'b'],
    });
    expect(JSON.stringify(json)).not.toMatch(/\$ref|\$defs|allOf/);
  });

  it('takes the object of several types, and values of several types', () => {
    const { json, accepts } = shown({
      type: ['object', 'null'],
      properties: { a: { type: ['string', 'null'] }, b: { type: 'string', nullable: true }, c: { const: 3 } },
    });
    expect(json).toMatchObject({ type: 'object', properties: { a: { type: ['string', 'null'] } } });
    expect(accepts({ a: null, b: null, c: 3 })).toBe(true);
    expect(accepts({ a: 1 })).toBe(false);
    expect(accepts({ c: 4 })).toBe(false);
  });

  it('shows a schema that holds itself as far as it goes', () => {
    const { json, accepts } = shown({
      type: 'object',
      properties: { tree: { $ref: '#/$defs/node' }, all: { $ref: '#' }, gone: { $ref: '#/$defs/none' } },
      $defs: {
        node: { type: 'object', properties: { left: { $ref: '#/$defs/node' }, value: { type: 'number' } } },
      },
    });
    expect(json).toMatchObject({
      properties: { tree: { type: 'object', properties: { left: {}, value: { type: 'number' } } }, gone: {} },
    });
    expect(accepts({ tree: { left: { left: { value: 1 } } }, all: {}, gone: 5 })).toBe(true);
  });

  it('loosens what it cannot say, and tells formats and defaults in words', () => {
    const { json, accepts } = shown({
      type: 'object',
      properties: {
        when: {
          type: 'string',
          format: 'date-time',
          pattern: '^(a+)+$',
          default: 'now',
          description: 'The time',
        },
        sure: { not: { type: 'string' } },
        pair: { type: 'array', prefixItems: [{ type: 'string' }], uniqueItems: true },
        odd: { enum: [{ a: 1 }] },
        off: false,
      },
      if: { required: ['when'] },
      else: { required: ['sure'] },
      dependentRequired: { when: ['pair'] },
      propertyNames: { pattern: '^[a-z]+$' },
      patternProperties: { '^x': { type: 'string' } },
      additionalProperties: false,
    });
    expect(json).toEqual({
      type: 'object',
      properties: {
        when: { type: 'string', description: 'The time (date-time) Default: "now"' },
        sure: {},
        pair: { type: 'array', items: {} },
        odd: {},
      },
      additionalProperties: {},
    });
    expect(accepts({ when: 'tomorrow', x1: 5 })).toBe(true);
    expect(shown({ properties: { a: { default: 1 } } }).input.parse({})).toEqual({});
  });

  it('leaves keys to words that no provider takes', () => {
    const { json, accepts } = shown({
      type: 'object',
      properties: JSON.parse(
        '{ "a b": { "type": "string" }, "__proto__": {}, "constructor": { "type": "string" }, "ok": {} }',
      ),
      required: ['a b', 'constructor'],
      additionalProperties: false,
    });
    expect(Object.keys(json.properties ?? {})).toEqual(['constructor', 'ok']);
    expect(json.required).toEqual(['constructor']);
    expect(json.description).toContain('a b');
    expect(accepts({ 'a b': 1, constructor: 'x' })).toBe(true);
    expect(accepts({ constructor: 1 })).toBe(false);
  });

  it('keeps a key that is required though nothing is said of it', () => {
    const { json } = shown({ type: 'object', required: ['id'] });
    expect(json).toMatchObject({ properties: { id: {} }, required: ['id'] });
  });

  it.each([
    [false, 'nothing fits'],
    [{ type: 'string' }, 'no object'],
    [{ type: ['array', 'null'] }, 'no object'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'no object'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'array' } } }, 'no object'],
  ])('has none where no object fits: %j', (schema, why) => {
    expect(foreignInput(schema)).toEqual({ ok: false, problem: expect.stringContaining(why) });
  });

  it('is bounded, however large and deep the schema is', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 2000 }, (_, index) => [
        `p${index}`,
        { type: 'string', description: 'x'.repeat(500) },
      ]),
    );
    const first = shown({ type: 'object', properties: wide, additionalProperties: false });
    expect(Object.keys(first.json.properties ?? {})).toHaveLength(200);
    expect(first.json.properties?.['p5']).toEqual({ type: 'string' });
    expect(first.accepts({ p1999: 'x' })).toBe(true);
    const some = Object.fromEntries(Object.entries(wide).slice(0, 90));
    const { json } = shown({ type: 'object', properties: some });
    expect(Object.keys(json.properties ?? {})).toHaveLength(90);
    expect(JSON.stringify(json).length).toBeLessThan(12_000);
    let deep: object = { type: 'string' };
    for (let level = 0; level < 5000; level++) deep = { type: 'object', properties: { a: deep } };
    expect(JSON.stringify(shown(deep).json).length).toBeLessThan(1000);
  });

  it('does not follow references for ever, nor in every order', () => {
    const names = Array.from({ length: 30 }, (_, index) => `d${index}`);
    const all = names.map((name) => ({ $ref: `#/$defs/${name}` }));
    for (const keyword of ['anyOf', 'allOf', 'oneOf']) {
      const $defs = Object.fromEntries(names.map((name) => [name, { [keyword]: all }]));
      expect(shown({ [keyword]: all, $defs }).json.type).toBe('object');
    }
  });

  it.each([
    ['a chain of references', { $ref: '#/$defs/d0' }],
    ['many keys that are none of a schema', { type: 'object', ...keys(20_000, {}) }],
    ['many properties that say nothing', { type: 'object', properties: keys(100_000, true) }],
  ])('reads %s a bounded number of times, wherever references lead', (_what, target) => {
    // Without a bound each of these takes minutes.
    const properties = keys(200, { allOf: [{ $ref: '#/$defs/t' }, { $ref: '#/$defs/t' }] });
    const { json } = shown({ type: 'object', properties, $defs: { t: target, ...chainLinks(2000) } });
    expect(Object.keys(json.properties ?? {})).toHaveLength(200);
  });

  const json = fc.jsonValue({ maxDepth: 4 });
  const keyword = fc.constantFrom(
    'type',
    'properties',
    'items',
    'anyOf',
    'oneOf',
    'allOf',
    '$ref',
    'enum',
    'required',
    'additionalProperties',
    'description',
    'default',
    '$defs',
    'nullable',
    'minimum',
  );
  const anySchema = fc.letrec((tie) => ({
    schema: fc.dictionary(
      keyword,
      fc.oneof(
        json,
        tie('schema'),
        fc.array(tie('schema'), { maxLength: 3 }),
        fc.constantFrom('object', '#', '#/$defs/x'),
      ),
    ),
  })).schema;
  it('makes an object of whatever it is given, or says why not', () => {
    fc.assert(
      fc.property(anySchema, (schema) => {
        const found = foreignInput(schema);
        if (!found.ok) return;
        const shownAs = z.toJSONSchema(found.input, { io: 'input', unrepresentable: 'throw' });
        expect(shownAs).toMatchObject({ type: 'object', properties: {} });
        for (const word of ['oneOf', 'anyOf', 'allOf', 'not', '$ref'])
          expect(shownAs).not.toHaveProperty(word);
        expect(JSON.stringify(shownAs).length).toBeLessThan(40_000);
        expect(z.toJSONSchema(found.input, { io: 'output' })).toEqual(shownAs);
      }),
      { numRuns: 50 },
    );
  });
});
