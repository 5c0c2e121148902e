import { describe, expect, it } from 'vitest';
import { openAppTools, TRANSPORTS } from '../support/open-app-tools.js';

/** On Node 20 and 22 V8 ends the process when it pauses at `head(…)`, with or without a condition that holds. */
const SOURCE = `const head = (kind) => kind;
export class Orders {
  post(body) {
    let kept = body.kind;
    const all = () => kept;
    switch (head(body.kind)) {
      case 1:
        let one = body.kind;
        const both = () => one + kept;
        return both();
      default:
        return all();
    }
  }
}
`;
/** On Node 20 V8 does so at the computed key. */
const OF_A_CLASS = `const make = (kind) => {
  const kept = () => kind;
  return class {
    field = () => this;
    [kept()]() {}
  };
};
export class Orders {
  post(body) {
    return typeof make(body.kind);
  }
}
`;
const WHY = 'where V8 before Node 24 may end the whole process';

describe.each(TRANSPORTS)('a place where V8 would end the process, %s', (transport) => {
  it.each([
    ['inspector_snapshot', {}],
    ['inspector_snapshot', { expressions: ['(() => 1)()'] }],
    ['inspector_set_breakpoint', {}],
    ['inspector_set_logpoint', { expression: 'body' }],
  ])('is refused by %s %j', async (name, more) => {
    const { workers, call } = await openAppTools(transport, { source: SOURCE });
    const place = { path: 'orders/resources.js', line: 6 };
    await expect(call(name, { ...place, ...more })).rejects.toThrow(WHY);
    expect(await workers[0]!.request('post', { kind: 1 })).toEqual({ value: 2 });
    await expect(call(name, { ...place, line: 7, ...more })).resolves.toMatchObject({
      text: expect.stringContaining('bound at'),
    });
  });

  it('is refused where a class is made', async () => {
    const { workers, call } = await openAppTools(transport, { source: OF_A_CLASS });
    const asked = call('inspector_snapshot', { path: 'orders/resources.js', line: 5 });
    await expect(asked).rejects.toThrow(WHY);
    expect(await workers[0]!.request('post', { kind: 'a' })).toEqual({ value: 'function' });
  });
});
