import { describe, expect, it } from 'vitest';
import { AppendList } from '../../src/session/append-list.js';

describe('AppendList', () => {
  it('leaves the shorter list as it was', () => {
    const one = AppendList.of(['a']);
    const two = one.push('b');
    const other = one.push('c');
    expect([...one]).toEqual(['a']);
    expect([...two]).toEqual(['a', 'b']);
    expect([...other]).toEqual(['a', 'c']);
    expect(one.view()).toEqual(['a']);
    expect(one.at(1)).toBeUndefined();
  });

  it('shares its memory as long as the newest list is the one pushed to', () => {
    let list = AppendList.of<number>();
    const memory = new Set<readonly number[]>();
    for (let item = 0; item < 100; item++) {
      list = list.push(item);
      memory.add(list.view());
    }
    expect(memory.size).toBe(1);
    expect(list.view()).toHaveLength(100);
  });
});
