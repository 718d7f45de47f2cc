import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSqliteStore } from '../../../../src/stores/sqlite/store.ts';
import { freshFolder } from '../harness.ts';

const turn = {
  person: 'petra',
  sessionId: '11111111-1111-4111-8111-111111111111',
  turnId: '22222222-2222-4222-8222-222222222222',
  after: 7,
};
const owed = { key: 'telegram:1', channel: 'telegram', address: { chat: 1 }, turn, owedAt: 5 };

async function openOutbox(file: string) {
  const store = await openSqliteStore({ file });
  onTestFinished(() => store.close());
  return { outbox: store.outbox, close: () => store.close() };
}

describe('the outbox', () => {
  it('accepts each key once, and remembers it after it is settled', async () => {
    const { outbox } = await openOutbox(':memory:');
    expect(await outbox.owe(owed)).toBe(true);
    expect(await outbox.owe({ ...owed, address: 'other' })).toBe(false);
    await outbox.settle('telegram:1', 10);
    expect(await outbox.owed('telegram')).toEqual([]);
    expect([await outbox.owe(owed), await outbox.knows('telegram:1')]).toEqual([false, true]);
  });

  it('knows all keys of an answer, and owes one answer', async () => {
    const { outbox } = await openOutbox(':memory:');
    expect(await outbox.owe({ ...owed, also: ['telegram:2', 'telegram:3'] })).toBe(true);
    expect((await outbox.owed('telegram')).map(({ key }) => key)).toEqual(['telegram:1']);
    expect([await outbox.knows('telegram:2'), await outbox.knows('telegram:3')]).toEqual([true, true]);
    expect(await outbox.owe({ ...owed, also: ['telegram:4'] })).toBe(false);
    expect(await outbox.knows('telegram:4')).toBe(false);
  });

  it('keeps owed answers, with their order and progress, across a restart', async () => {
    const file = join(freshFolder(), 'parley.db');
    const first = await openOutbox(file);
    for (const key of ['telegram:1', 'telegram:2', 'telegram:3']) await first.outbox.owe({ ...owed, key });
    await first.outbox.owe({ ...owed, key: 'discord:1', channel: 'discord' });
    await first.outbox.advance('telegram:2', {
      text: 'a\u0000b',
      sentParts: 2,
      attempt: { after: 9 },
      status: { messageId: '4' },
    });
    await first.outbox.advance('telegram:3', { attempt: { after: 1 } });
    await first.outbox.advance('telegram:3', { attempt: undefined });
    await first.close();
    const { outbox } = await openOutbox(file);
    const base = { channel: 'telegram', address: { chat: 1 }, turn, owedAt: 5 };
    expect(await outbox.owed('telegram')).toEqual([
      { ...base, key: 'telegram:1', sentParts: 0 },
      {
        ...base,
        key: 'telegram:2',
        sentParts: 2,
        text: 'a\u0000b',
        attempt: { after: 9 },
        status: { messageId: '4' },
      },
      { ...base, key: 'telegram:3', sentParts: 0 },
    ]);
  });

  it('forgets settled keys after a while, but never owed ones', async () => {
    const { outbox } = await openOutbox(':memory:');
    for (const key of ['old', 'new', 'open']) await outbox.owe({ ...owed, key });
    await outbox.settle('old', 10);
    await outbox.settle('new', 20);
    await outbox.forgetSettled(15);
    expect([await outbox.knows('old'), await outbox.knows('new'), await outbox.knows('open')]).toEqual([
      false,
      true,
      true,
    ]);
  });

  it('remembers the highest number of a counter, in any order', async () => {
    const { outbox } = await openOutbox(':memory:');
    for (const number of [5, 9, 7]) await outbox.mark('telegram', 'bot', number);
    await outbox.mark('telegram', '-1001', 3);
    expect(await outbox.marks('telegram')).toEqual(
      new Map([
        ['bot', 9],
        ['-1001', 3],
      ]),
    );
    expect(await outbox.marks('discord')).toEqual(new Map());
  });
});
