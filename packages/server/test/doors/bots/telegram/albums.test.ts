// Photos that are sent together make one prompt and get one answer; none is confirmed before all are durable.
import type { TelegramStandIn } from '@parley/stand-ins';
import { describe, expect, it } from 'vitest';
import type { EngineTurn } from '../../../../src/domain/engine.ts';
import { freshFolder, SteppedEngine } from '../harness.ts';
import { answers, type Bot, freshTelegram, jpeg, petra, startBot } from './harness.ts';

/** One photo of an album. */
function photo(telegram: TelegramStandIn, caption?: string, album = 'album-1'): number {
  const file_id = telegram.addFile(Buffer.from(jpeg, 'base64'));
  const fields = { photo: [{ file_id }], media_group_id: album, ...(caption !== undefined && { caption }) };
  return telegram.inject({ from: petra, fields }).updateId;
}

function pictures({ prompt }: EngineTurn): number {
  return prompt.filter(({ type }) => type === 'image').length;
}

async function texts({ telegram }: Pick<Bot, 'telegram'>, count: number): Promise<readonly string[]> {
  return (await answers(telegram, count)).map(({ text }) => text);
}

function delivered(telegram: TelegramStandIn, updateId: number): Promise<void> {
  return telegram.until(() => telegram.deliveries.has(updateId), AbortSignal.timeout(60_000));
}

function allConfirmed(telegram: TelegramStandIn): Promise<void> {
  return telegram.until(() => telegram.pendingUpdates === 0, AbortSignal.timeout(60_000));
}

describe('an album', () => {
  it('is one prompt with all its pictures and texts', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    photo(bot.telegram, 'which is best?');
    photo(bot.telegram);
    photo(bot.telegram, 'the last one?');
    expect(await texts(bot, 1)).toEqual(['You said: which is best?\n\nthe last one?']);
    expect(engine.turns.map(pictures)).toEqual([3]);
    await allConfirmed(bot.telegram);
  });

  it('is one prompt even when its photos arrive one after the other', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    await delivered(bot.telegram, photo(bot.telegram, 'two of them'));
    photo(bot.telegram);
    await texts(bot, 1);
    expect(engine.turns.map(pictures)).toEqual([2]);
  });

  it('is answered before later messages, and separately from other albums', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    photo(bot.telegram, 'first');
    photo(bot.telegram);
    photo(bot.telegram, 'second', 'album-2');
    bot.telegram.inject({ from: petra, fields: { text: 'third' } });
    expect(await texts(bot, 3)).toEqual(['You said: first', 'You said: second', 'You said: third']);
    expect(engine.turns.map(pictures)).toEqual([2, 1, 0]);
  });

  it('gets one answer for its photos, and one that its videos are not supported', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    photo(bot.telegram, 'holidays');
    bot.telegram.inject({ from: petra, fields: { video: { file_id: 'v' }, media_group_id: 'album-1' } });
    photo(bot.telegram);
    const seen = await texts(bot, 2);
    expect(seen.toSorted()).toEqual([
      expect.stringContaining('Videos are not supported'),
      'You said: holidays',
    ]);
    expect(engine.turns.map(pictures)).toEqual([2]);
  });

  it('is confirmed only when it is durable as a whole', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const { outbox } = bot.store;
    const owe = outbox.owe.bind(outbox);
    let isFull = true;
    const pendingWhenRefused: number[] = [];
    Object.assign(outbox, {
      owe(...args: Parameters<typeof owe>) {
        if (!isFull) return owe(...args);
        isFull = false;
        pendingWhenRefused.push(bot.telegram.pendingUpdates);
        return Promise.reject(new Error('database or disk is full'));
      },
    });
    const ids = [photo(bot.telegram, 'both'), photo(bot.telegram)];
    expect(await texts(bot, 1)).toEqual(['You said: both']);
    expect(pendingWhenRefused).toEqual([2]);
    for (const id of ids) expect(bot.telegram.deliveries.get(id)).toBeGreaterThan(1);
    expect(engine.turns.map(pictures)).toEqual([2]);
  });

  it('that is delivered again after a crash is not answered again, except for a new photo', async () => {
    const telegram = await freshTelegram();
    const folder = freshFolder();
    const engine = new SteppedEngine();
    const first = await startBot({ engine, telegram, folder });
    await delivered(telegram, photo(telegram, 'both'));
    // From now on Telegram does not learn what was processed.
    const cut = { kind: 'cut' } as const;
    await delivered(telegram, photo(telegram));
    telegram.failNext('getUpdates', cut, cut, cut);
    await texts(first, 1);
    await first.stop();
    expect(telegram.pendingUpdates).toBe(2);

    photo(telegram, 'a late one');
    const second = await startBot({ engine, telegram, folder });
    expect(await texts(second, 2)).toEqual(['You said: both', 'You said: a late one']);
    await allConfirmed(telegram);
    expect(engine.turns.map(pictures)).toEqual([2, 1]);
  });

  it('loses no photo that arrives between its prompt and the entry in the outbox', async () => {
    const engine = new SteppedEngine();
    const bot = await startBot({ engine });
    const { outbox } = bot.store;
    const owe = outbox.owe.bind(outbox);
    let isCrash = true;
    Object.assign(outbox, {
      owe(...args: Parameters<typeof owe>) {
        if (!isCrash) return owe(...args);
        isCrash = false;
        photo(bot.telegram, 'late');
        return Promise.reject(new Error('as if the server had died'));
      },
    });
    photo(bot.telegram, 'both');
    photo(bot.telegram);
    expect(await texts(bot, 2)).toEqual(['You said: both', 'You said: late']);
    await allConfirmed(bot.telegram);
    expect(engine.turns.map(pictures)).toEqual([2, 1]);
  });
});
