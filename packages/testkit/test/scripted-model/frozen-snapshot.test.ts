import { describe, expect, it } from 'vitest';
import { frozenSnapshot } from '../../src/scripted-model/frozen-snapshot.js';

describe('frozenSnapshot', () => {
  it('copies and freezes all the way down', () => {
    const value = { list: [{ deep: { text: 'x' } }] };
    const snapshot = frozenSnapshot(value);
    expect(snapshot).toEqual(value);
    expect(Object.isFrozen(snapshot.list[0]?.deep)).toBe(true);
    value.list[0]!.deep.text = 'changed';
    expect(snapshot.list[0]?.deep.text).toBe('x');
  });

  it('shares what is deeply frozen and copies what is frozen only at the top', () => {
    const deep = Object.freeze({ list: Object.freeze([1, 2]) });
    expect(frozenSnapshot(deep)).toBe(deep);
    const shallow = Object.freeze({ list: [1, 2] });
    const snapshot = frozenSnapshot(shallow);
    shallow.list.push(3);
    expect(snapshot.list).toEqual([1, 2]);
    expect(frozenSnapshot(shallow).list).toEqual([1, 2, 3]);
  });

  it('keeps an own key named __proto__ as data', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(frozenSnapshot(value))).toBe('{"__proto__":{"x":1}}');
  });

  it('records a long run without copying its messages again', () => {
    const messages: object[] = [];
    const snapshots = Array.from({ length: 300 }, (_, n) => {
      messages.push(Object.freeze({ role: 'user', content: String(n) }));
      return frozenSnapshot(messages);
    });
    expect(snapshots[299]?.[0]).toBe(messages[0]);
    expect(snapshots[10]?.length).toBe(11);
  });
});
