import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KeyedQueue } from '../../src/basics/keyed-queue.ts';

/** Jobs that end on command, and a record of what happened. */
function jobs() {
  const seen: string[] = [];
  const ends = new Map<string, () => void>();
  const job = (name: string) => async () => {
    seen.push(`${name} starts`);
    await new Promise<void>((resolve) => ends.set(name, resolve));
    seen.push(`${name} ends`);
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await nextTick();
  };
  return { seen, job, end };
}

describe('a keyed queue', () => {
  it('runs jobs of one key in order and different keys side by side', async () => {
    const queue = new KeyedQueue();
    const { seen, job, end } = jobs();
    const all = Promise.all([
      queue.run('a', job('a1')),
      queue.run('a', job('a2')),
      queue.run('b', job('b1')),
    ]);
    await nextTick();
    expect(seen).toEqual(['a1 starts', 'b1 starts']);
    await end('a1');
    expect(seen.slice(2)).toEqual(['a1 ends', 'a2 starts']);
    await end('b1');
    await end('a2');
    await all;
    await queue.idle();
    expect(seen.slice(4)).toEqual(['b1 ends', 'a2 ends']);
  });

  it('returns what a job returns, and continues after one that fails', async () => {
    const queue = new KeyedQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('broken')));
    const next = queue.run('a', () => Promise.resolve(7));
    await expect(failing).rejects.toThrow('broken');
    expect(await next).toBe(7);
  });

  it('lets a caller wait for room when a key is full', async () => {
    const queue = new KeyedQueue(2);
    const { seen, job, end } = jobs();
    const { signal } = new AbortController();
    expect(await queue.add('a', job('a1'), signal)).toBe(true);
    expect(await queue.add('a', job('a2'), signal)).toBe(true);
    const adding = queue.add('a', job('a3'), signal).then((added) => seen.push(`a3 added: ${added}`));
    expect(await queue.add('b', job('b1'), signal)).toBe(true);
    await nextTick();
    expect(seen).toEqual(['a1 starts', 'b1 starts']);
    await end('a1');
    await adding;
    expect(seen.slice(2)).toEqual(['a1 ends', 'a2 starts', 'a3 added: true']);
    await end('a2');
    await nextTick();
    await end('a3');
    await end('b1');
    await queue.idle();
    expect(seen.at(-1)).toBe('b1 ends');
  });

  it('stops waiting for room when the signal aborts', async () => {
    const queue = new KeyedQueue(1);
    const { seen, job, end } = jobs();
    const controller = new AbortController();
    await queue.add('a', job('a1'), controller.signal);
    const adding = queue.add('a', job('a2'), controller.signal);
    controller.abort();
    expect(await adding).toBe(false);
    await end('a1');
    await queue.idle();
    expect(seen).toEqual(['a1 starts', 'a1 ends']);
  });
});
