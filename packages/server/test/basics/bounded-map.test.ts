import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { BoundedMap } from '../../src/basics/bounded-map.ts';

describe('a bounded map', () => {
  it('drops the least recently used entry when it is full', () => {
    const map = new BoundedMap<string, number>(3);
    for (const [index, key] of ['a', 'b', 'c'].entries()) map.set(key, index);
    expect(map.get('a')).toBe(0);
    map.set('b', 5);
    map.set('d', 3);
    const entries = [...map.entries()];
    expect(entries).toEqual([
      ['d', 3],
      ['b', 5],
      ['a', 0],
    ]);
    expect([...map.entries()]).toEqual(entries);
    expect(map.size).toBe(3);
    expect(map.has('c')).toBe(false);
    expect(map.get('c')).toBeUndefined();
  });

  it('keeps the order through many uses, deletions and rounds', () => {
    const map = new BoundedMap<number, number>(50);
    let expected: number[] = [];
    const used = (key: number) => {
      expected = [...expected.filter((one) => one !== key), key].slice(-50);
    };
    for (let step = 0; step < 5_000; step += 1) {
      const key = (step * 7_919) % 173;
      if (step % 11 === 0) {
        map.delete(key);
        expected = expected.filter((one) => one !== key);
      } else if (step % 5 !== 0 || map.get(key) !== undefined) {
        if (step % 5 !== 0) map.set(key, step);
        used(key);
      }
      if (step === 2_500) {
        map.clear();
        expected = [];
      }
      expect([...map.entries()].map(([one]) => one).reverse()).toEqual(expected);
    }
  });

  it('forgets what was deleted or cleared', () => {
    const map = new BoundedMap<string, true>(2);
    map.set('a', true);
    expect(map.delete('a')).toBe(true);
    expect(map.delete('a')).toBe(false);
    map.set('b', true);
    map.clear();
    expect(map.size).toBe(0);
  });

  it('frees what was deleted, whether it is full or not', async () => {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc') as () => void;
    for (const entries of [10, 101]) {
      const map = new BoundedMap<number, object>(100);
      for (let key = 0; key < entries; key += 1) map.set(key, {});
      const deleted = Array.from({ length: 50 }, () => {
        const value = {};
        map.set(-1, value);
        for (let use = 0; use < 1_000; use += 1) map.get(use % 2 === 0 ? -1 : entries - 1);
        map.delete(-1);
        return new WeakRef(value);
      });
      // A reference stays until the current task is over.
      await new Promise((resolve) => setImmediate(resolve));
      collectGarbage();
      expect(deleted.filter((one) => one.deref() !== undefined)).toEqual([]);
    }
  });
});
