// Turning callbacks into `for await`.
import { describe, expect, it } from 'vitest';
import { iterate } from '../src/iterate.ts';

describe('an iteration', () => {
  it('stops a source that is too fast, and resumes where the reader is', async () => {
    const starts: number[] = [];
    const numbers = iterate<number>(async (onItem, signal, last = 0) => {
      starts.push(last);
      for (let next = last + 1; !signal.aborted; next += 1) onItem(next);
    }, undefined);
    const seen: number[] = [];
    for await (const number of numbers) {
      seen.push(number);
      if (number === 12_000) break;
    }
    expect(seen).toEqual(Array.from({ length: 12_000 }, (_, at) => at + 1));
    expect(starts).toEqual([0, 5_000, 10_000]);
  });

  it('yields everything that came before a failure, then throws it', async () => {
    const seen: number[] = [];
    const reading = async () => {
      for await (const number of iterate<number>(async (onItem) => {
        onItem(1);
        onItem(2);
        throw new Error('gone');
      }, undefined))
        seen.push(number);
    };
    await expect(reading()).rejects.toThrow('gone');
    expect(seen).toEqual([1, 2]);
  });

  it('ends when its source does', async () => {
    const seen: number[] = [];
    for await (const number of iterate<number>(async (onItem) => onItem(1), undefined)) {
      seen.push(number);
      if (seen.length === 3) break;
    }
    expect(seen).toEqual([1]);
  });

  it('stops its source when the reader leaves or the signal aborts', async () => {
    const signals: AbortSignal[] = [];
    const source = (onItem: (item: number) => void, signal: AbortSignal) => {
      signals.push(signal);
      onItem(1);
      return new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve());
      });
    };
    for await (const _ of iterate(source, undefined)) break;
    const outer = new AbortController();
    for await (const _ of iterate(source, outer.signal)) outer.abort();
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
  });
});
