import { describe, expect, it } from 'vitest';
import { openAppTools } from '../support/open-app-tools.js';

describe('inspector_evaluate with sideEffects', () => {
  async function open() {
    const { call, workers } = await openAppTools('in-process', { env: { APP_SECRET: 'hidden-0123456789' } });
    const evaluate = async (expression: string, timeoutMs = 1000) =>
      (await call('inspector_evaluate', { workerIndex: 0, expression, sideEffects: true, timeoutMs })).text;
    return { evaluate, workers };
  }

  it.each([
    ['(globalThis.made = 1)', '1'],
    ['Promise.resolve({ a: 1 })', '{ a: 1 }'],
    ['await Promise.resolve(2)', '2'],
    ['Promise.reject({ a: 1 })', 'The expression threw { a: 1 }'],
    ['(() => { throw undefined })()', 'The expression threw undefined'],
    ['undefined', 'undefined'],
    ['10n', '10n'],
    ['({}).a // a comment', 'undefined'],
    ['process.env.APP_SECRET', '"[[redacted]]"'],
  ])('%s comes to %s', async (expression, text) => {
    const { evaluate } = await open();
    expect(await evaluate(expression)).toBe(text);
  });

  it('shows an error with its stack', async () => {
    const { evaluate } = await open();
    expect(await evaluate('null.x')).toMatch(
      /^The expression threw \[TypeError: .*\]\nTypeError: .*\n {4}at /,
    );
  });

  it('stops what runs too long, and no longer waits for what does not settle', async () => {
    const { evaluate, workers } = await open();
    for (const expression of ['(() => { while (true) {} })()', 'new Promise(() => {})']) {
      await expect(evaluate(expression, 60)).rejects.toMatchObject({
        code: 'evaluate_timeout',
        message: expect.stringContaining('what it had done by then is done'),
      });
    }
    expect(await workers[0]!.request('post', { items: [] })).toEqual({ value: 0 });
    await expect(evaluate('a b')).rejects.toThrow('not one JavaScript expression: SyntaxError');
  });
});
