import { describe, expect, it } from 'vitest';
import { normalizeReply } from '../../src/run/normalize-reply.js';

const callOf = (args: unknown) =>
  normalizeReply({ toolCalls: [{ name: 'x', arguments: args }], finishReason: 'tool_calls' }, 7).calls[0];
const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;

describe('normalizeReply', () => {
  it.each<[string, unknown, object]>([
    ['an object', { a: 1 }, { a: 1 }],
    ['JSON text', '{"a":1}', { a: 1 }],
    ['nothing', undefined, {}],
    ['null', null, {}],
    ['empty text', '', {}],
    ['brackets within strings', JSON.stringify({ a: '['.repeat(500) }), { a: '['.repeat(500) }],
  ])('takes %s as arguments', (_what, args, expected) => {
    expect(callOf(args)).toEqual({ id: 'call_7_0', name: 'x', arguments: expected });
  });

  it.each<[string, unknown, string]>([
    ['half an object', '{"path":"/etc/ho', 'not valid JSON'],
    ['an array', [1], 'not a JSON object'],
    ['a number', 7, 'not a JSON object'],
    ['a text that is no JSON', 'path=x', 'not valid JSON'],
    [
      'a cycle',
      (() => {
        const a: Record<string, unknown> = {};
        a['a'] = a;
        return a;
      })(),
      'not valid JSON',
    ],
    ['a bigint', { a: 1n }, 'not valid JSON'],
    ['__proto__', '{"__proto__":{"admin":true}}', '__proto__'],
    ['a deep nest', nested(101), 'nested more than 100 deep'],
    ['a very deep nest', nested(200_000), 'nested more than 100 deep'],
  ])('runs no call with %s for arguments', (_what, args, problem) => {
    const call = callOf(args);
    expect(call?.arguments).toEqual({});
    expect(call?.malformed).toContain(problem);
  });

  it('accepts what is just deep enough', () => {
    expect(callOf(nested(100))?.malformed).toBeUndefined();
  });

  it.each(['length', 'content_filter'])('drops every call of a reply that ended with %s', (finishReason) => {
    const reply = { content: 'par', toolCalls: [{ name: 'x', arguments: {} }], finishReason };
    expect(normalizeReply(reply, 7)).toEqual({ content: 'par', calls: [], droppedCalls: 1, finishReason });
  });

  it('trusts neither names nor ids', () => {
    const odd = [{ name: '__proto__', id: 'a' }, { name: 7, id: 'a' }, {}, null] as never;
    const { calls } = normalizeReply({ toolCalls: odd }, 3);
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['call_3_0', '__proto__'],
      ['call_3_1', ''],
      ['call_3_2', ''],
      ['call_3_3', ''],
    ]);
  });
});
