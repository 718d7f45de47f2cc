import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../src/bounded-map.ts';

describe('a bounded map', () => {
  it('drops its oldest entry when it is full, and setting an entry makes it the newest', () => {
    const map = new BoundedMap<string, number>(2).set('a', 1).set('b', 2).set('a', 3).set('c', 4);
    expect([...map]).toEqual([
      ['a', 3],
      ['c', 4],
    ]);
  });

  it('counts the weight of its keys, but not of deleted ones', () => {
    const map = new BoundedMap<string, number>(6, (key) => key.length).set('aaa', 1).set('bbb', 2);
    map.delete('aaa');
    expect([...map.set('cc', 3).keys()]).toEqual(['bbb', 'cc']);
    expect([...map.set('dddd', 4).keys()]).toEqual(['cc', 'dddd']);
    expect([...map.set('longer than all', 5).keys()]).toEqual([]);
  });
});
