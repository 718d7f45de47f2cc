// What is kept for pages that come back: the newest messages, within bounds of number and of bytes.
import { describe, expect, it } from 'vitest';
import { MessageLog } from '../../../src/doors/websocket/message-log.ts';

describe('the log of a session', () => {
  it.each([
    ['messages', { messages: 3, bytes: 1_000_000 }],
    ['bytes', { messages: 1_000, bytes: 36_000 }],
  ])('lets go of the oldest when it has too many %s, and says so to who asks for them', (_, limits) => {
    const log = new MessageLog(10, limits);
    for (const letter of 'abcde') log.appendFrame(letter.repeat(10_000));

    expect(log.last).toBe(15);
    expect(log.tail(0).map(({ number }) => number)).toEqual([13, 14, 15]);
    expect(log.after(12, 10)?.map(({ parts }) => String(parts[0])[0])).toEqual(['c', 'd', 'e']);
    expect(log.after(11, 10)).toBeUndefined();
  });

  it('keeps the newest message, however large', () => {
    const log = new MessageLog(0, { messages: 10, bytes: 1_000 });
    log.appendFrame('small');
    log.appendFrame('x'.repeat(100_000));

    expect(log.tail(0).map(({ number }) => number)).toEqual([2]);
  });
});
