// A Telegram bot as it runs in the server: the real door, grammY, gateway and database, with the stand-in of the Bot API
// and an engine that the test scripts.
import { type SentMessage, startTelegramStandIn, type TelegramStandIn } from '@parley/stand-ins';
import { onTestFinished } from 'vitest';
import { openTelegramDoor, type TelegramDoorOptions } from '../../../../src/doors/bots/telegram/door.ts';
import * as shared from '../harness.ts';

export const petra = { id: 1001, is_bot: false, first_name: 'Petra' };
export const stranger = { id: 666, is_bot: false, first_name: 'Mallory' };

/** A JPEG with one gray pixel. */
export const jpeg =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=';

export interface BotOptions
  extends shared.BotOptions,
    Pick<TelegramDoorOptions, 'waitSeconds' | 'callSeconds'> {
  readonly telegram?: TelegramStandIn;
}

export interface Bot extends shared.RunningBot {
  readonly telegram: TelegramStandIn;
}

export async function freshTelegram(): Promise<TelegramStandIn> {
  const telegram = await startTelegramStandIn();
  onTestFinished(() => telegram.close());
  return telegram;
}

/** Resolves when the bot is polling. It stops after the test at the latest. */
export async function startBot(options: BotOptions = {}): Promise<Bot> {
  const telegram = options.telegram ?? (await freshTelegram());
  const { waitSeconds = 2, callSeconds = 10 } = options;
  const bot = await shared.runBot('telegram', options, telegram, (door) =>
    openTelegramDoor({ ...door, waitSeconds, callSeconds }),
  );
  return { ...bot, telegram };
}

/** Waits until the chat shows this many messages of the bot, and returns them. */
export async function answers(
  telegram: TelegramStandIn,
  count: number,
  chatId: number = petra.id,
  timeoutMs = 60_000,
): Promise<readonly SentMessage[]> {
  const settled = () => telegram.visible(chatId).filter(isAnswer);
  const signal = AbortSignal.timeout(timeoutMs);
  await telegram
    .until(() => settled().length >= count, signal)
    .catch(() => {
      throw new Error(
        `expected ${count} messages, saw: ${JSON.stringify(settled().map(({ text }) => text))}`,
      );
    });
  return settled();
}

/** Sends a text as Petra and waits for the next message of the bot in that chat. */
export async function ask(bot: Bot, text: string): Promise<SentMessage> {
  const before = bot.telegram.visible(petra.id).filter(isAnswer).length;
  bot.telegram.inject({ from: petra, fields: { text } });
  const seen = await answers(bot.telegram, before + 1);
  return seen[before] as SentMessage;
}

/** Not a status message, and not the probe for the current message number. */
function isAnswer({ text }: SentMessage): boolean {
  return !shared.isProgress(text) && text !== '…';
}
