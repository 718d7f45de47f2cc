import { describe, expect, it } from 'vitest';
import { ByteBudget } from '../../src/basics/byte-budget.ts';

describe('a byte budget', () => {
  it('limits each owner and all together', () => {
    const budget = new ByteBudget({ each: 10, all: 15 });
    const [petra, mia, also] = [budget.of('petra'), budget.of('mia'), budget.of('petra')];
    expect(petra.take(8)).toBe(true);
    expect(also.take(3)).toBe(false);
    expect(also.take(2)).toBe(true);
    expect(mia.take(6)).toBe(false);
    expect(mia.take(5)).toBe(true);
    expect(budget.taken).toBe(15);
    petra.release(8);
    expect(mia.take(5)).toBe(true);
    expect(mia.take(1)).toBe(false);
    also.release(2);
    mia.release(10);
    expect(budget.taken).toBe(0);
  });
});
