// A Discord bot as it runs in the server: the real door, client libraries, gateway and database, with the stand-in of
// Discord and an engine that the test scripts.
import { type DiscordMessage, type DiscordStandIn, startDiscordStandIn } from '@parley/stand-ins';
import { onTestFinished } from 'vitest';
import { openDiscordDoor } from '../../../../src/doors/bots/discord/door.ts';
import { clock } from '../chat-server.ts';
import * as shared from '../harness.ts';

export const petra = { id: '1001', username: 'Petra' };
export const stranger = { id: '666', username: 'Mallory' };
export const direct = { id: '9100', type: 1 } as const;

export interface BotOptions extends shared.BotOptions {
  readonly discord?: DiscordStandIn;
  readonly token?: string;
}

export interface Bot extends shared.RunningBot {
  readonly discord: DiscordStandIn;
}

export async function freshDiscord(
  options: Parameters<typeof startDiscordStandIn>[0] = {},
): Promise<DiscordStandIn> {
  const discord = await startDiscordStandIn(options);
  onTestFinished(() => discord.close());
  return discord;
}

/** Resolves when the bot is connected. It stops after the test at the latest. */
export async function startBot(options: BotOptions = {}): Promise<Bot> {
  const discord = options.discord ?? (await freshDiscord());
  const { url, token } = discord;
  const bot = await shared.runBot('discord', options, { url, token: options.token ?? token }, (door) =>
    openDiscordDoor({ ...door, clock }),
  );
  return { ...bot, discord };
}

/** Waits until the channel shows this many messages of the bot, and returns them. */
export async function answers(
  discord: DiscordStandIn,
  count: number,
  channelId: string = discord.general.id,
  timeoutMs = 60_000,
): Promise<readonly DiscordMessage[]> {
  const settled = () => discord.visible(channelId).filter(isAnswer);
  await discord
    .until(() => settled().length >= count, AbortSignal.timeout(timeoutMs))
    .catch(() => {
      const seen = settled().map(({ content }) => content.slice(0, 200));
      throw new Error(`expected ${count} messages, saw: ${JSON.stringify(seen)}`);
    });
  return settled();
}

/** Sends a text as Petra and waits for the next message of the bot in that channel. */
export async function ask(bot: Bot, content: string, channel = bot.discord.general): Promise<DiscordMessage> {
  const before = bot.discord.visible(channel.id).filter(isAnswer).length;
  bot.discord.inject({ author: petra, channel, content });
  const seen = await answers(bot.discord, before + 1, channel.id);
  return seen[before] as DiscordMessage;
}

/** Waits for what only the person of an interaction can read. */
export async function whispered(discord: DiscordStandIn, token: string): Promise<string> {
  const whisper = () => discord.ephemeralRepliesTo(token)[0]?.['content'];
  await discord.until(() => whisper() !== undefined, AbortSignal.timeout(60_000));
  return String(whisper());
}

function isAnswer({ content }: DiscordMessage): boolean {
  return !shared.isProgress(content);
}
