// Reads and presses the buttons under a Telegram bot's messages.
import type { SentMessage } from '@parley/stand-ins';
import { type Bot, petra } from './harness.ts';

export function buttonsOf(message: SentMessage) {
  return message.keyboard?.inline_keyboard.flat() ?? [];
}

export function press(bot: Bot, message: SentMessage, label: string): void {
  const button = buttonsOf(message).find(({ text }) => text === label || text === `✓ ${label}`);
  bot.telegram.pressButton({ from: petra, message, data: button?.callback_data ?? '' });
}

export function callbackTexts(bot: Pick<Bot, 'telegram'>): readonly string[] {
  return bot.telegram.calls.flatMap(({ method, payload }) =>
    method === 'answerCallbackQuery' ? [String(payload['text'])] : [],
  );
}

export function untilCallback(bot: Bot, pattern: RegExp): Promise<void> {
  return bot.telegram.until(
    () => callbackTexts(bot).some((text) => pattern.test(text)),
    AbortSignal.timeout(60_000),
  );
}
