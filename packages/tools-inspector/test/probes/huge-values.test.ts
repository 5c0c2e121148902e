import { Session } from 'node:inspector';
import { describe, expect, it, vi } from 'vitest';
import { openAppTools } from '../support/open-app-tools.js';

/** Fifty megabytes of text, and a megabyte of whatever else can be long. */
const SOURCE = `export class Orders {
  post({ fails = '' } = {}) {
    const text = 'x'.repeat(5e7);
    const list = [text, text];
    const named = { [text.slice(0, 1e6)]: 1 };
    const map = new Map([[text, text]]);
    const error = new Error(text.slice(0, 1e6));
    const pattern = new RegExp('a'.repeat(1e6));
    const symbol = Symbol(text.slice(0, 1e6));
    const call = new Function('/*' + text.slice(0, 1e6) + '*/');
    const long = 7n ** 50000n;
    const traps = new Proxy({}, { ownKeys() { while (true) {} }, getOwnPropertyDescriptor() { while (true) {} } });
    const watched = { get never() { while (true) {} } };
    this.text = text;
    globalThis.text = text;
    globalThis.failure = Object.assign(new Error('short'), { stack: text });
    if (fails === 'property') throw Object.assign(new Error('small'), { details: text });
    if (fails === 'message') throw error;
    if (fails === 'text') throw text.slice(0, 1e6);
    return list.length;
  }
}
`;
const EVALUATED = [
  'text',
  'new Error(text)',
  '(() => { throw new Error(text) })()',
  'failure',
  '({ [text]: text })',
  'new Map([[text, text]])',
  'Symbol(text)',
];
const LINE = { path: 'orders/resources.js', line: 20, hits: 1 };
/** What a hit of a few variables may take: V8's stack and scopes, and texts of at most some thousand characters. */
const SMALL = 60_000;

/** Counts the characters that the main thread receives from workers, at the transport. */
function countReceived(): { readonly largest: () => number } {
  let largest = 0;
  const emit = vi.spyOn(Session.prototype, 'emit');
  emit.mockImplementation(function (this: Session, name: string | symbol, ...rest: unknown[]) {
    const message: unknown = Object(Object(rest[0]).params).message;
    if (typeof message === 'string') largest = Math.max(largest, message.length);
    for (const listener of this.rawListeners(name)) Reflect.apply(listener, this, rest);
    return true;
  });
  return { largest: () => largest };
}

describe('values of many megabytes', () => {
  it('stay in the worker when a snapshot is taken', async () => {
    const { workers, set, call } = await openAppTools('in-process', {
      source: SOURCE,
      limits: { snapshotMs: 2000 },
    });
    const received = countReceived();
    const expressions = [
      'text',
      'named',
      'map',
      'error',
      'call',
      'this.text',
      '(() => { throw new Error(text) })()',
      '[pattern, symbol, long]',
    ];
    const id = await set('inspector_snapshot', { ...LINE, expressions });
    expect(await workers[0]!.request('post', {})).toEqual({ value: 2 });
    const { text, data } = await call('inspector_read_hits', { id, waitMs: 5000 });
    expect(received.largest()).toBeLessThan(SMALL);
    const [hit] = Object(data).hits;
    const shown: Map<string, string> = new Map(
      [...hit.locals, ...hit.expressions].map(({ name, text: value }) => [name, value]),
    );
    expect(hit.missing).toBeUndefined();
    expect(shown.get('watched')).toBe('{ never: [Getter] }');
    expect(shown.get('traps')).toBe('Proxy');
    expect(shown.get('long')).toBe('<a BigInt of more than 65,536 bits>');
    expect(shown.get('this.text')).toMatch(/^"x{3000,}/);
    expect(shown.get('(() => { throw new Error(text) })()')).toMatch(/^<threw Error: x+…/);
    expect(text.length).toBeLessThan(30_000);
  });

  it('stay in the worker when what is thrown holds them', async () => {
    const { workers, set, call } = await openAppTools('in-process', { source: SOURCE });
    const received = countReceived();
    const id = await set('inspector_catch_exceptions', { caught: true, within: 'orders', hits: 1 });
    await workers[0]!.request('post', { fails: 'property' });
    const { text } = await call('inspector_read_hits', { id, waitMs: 5000 });
    expect(text).toMatch(/details = "x+…/);
    expect(received.largest()).toBeLessThan(SMALL);
  });

  it.each(['message', 'text'])('are cut where V8 sends the %s itself with the throw', async (fails) => {
    const { workers, set, call } = await openAppTools('in-process', { source: SOURCE });
    const id = await set('inspector_catch_exceptions', { caught: true, within: 'orders', hits: 1 });
    await workers[0]!.request('post', { fails });
    const { text } = await call('inspector_read_hits', { id, waitMs: 5000 });
    expect(text).toMatch(/thrown: (Error: |")?x{3000}/);
    expect(text.length).toBeLessThan(40_000);
  });

  it('stay in the worker when they are evaluated', async () => {
    const { workers, call } = await openAppTools('in-process', { source: SOURCE });
    await workers[0]!.request('post', {});
    const received = countReceived();
    for (const expression of EVALUATED) {
      for (const sideEffects of [false, true]) {
        const input = { workerIndex: 0, expression, sideEffects, timeoutMs: 5000 };
        const { text } = await call('inspector_evaluate', input);
        expect(text.length).toBeLessThan(30_000);
        expect({ expression, small: received.largest() < SMALL }).toEqual({ expression, small: true });
      }
    }
  });
});
