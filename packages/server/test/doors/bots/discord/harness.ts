// A Discord bot as it runs in the server: the real door, client libraries, gateway and database, with the stand-in of
// Discord and an engine that the test scripts.
import { type DiscordStandIn, type RoomMessage, startDiscordStandIn } from '@parley/stand-ins';
import { onTestFinished } from 'vitest';
import type { Engine } from '../../../../src/domain/engine.ts';
import { BotState } from '../../../../src/doors/bots/core/bot-state.ts';
import { openDiscordDoor } from '../../../../src/doors/bots/discord/door.ts';
import type { RunningGateway } from '../../../../src/gateway/gateway.ts';
import type { SqliteStore } from '../../../../src/stores/sqlite/store.ts';
import { createGuardedFetch } from '../../../../src/tools/web/guarded-fetch.ts';
import { type BotTestSettings, clock, openChatServer } from '../chat-server.ts';
import { collecting, freshFolder, type LogLine, SteppedEngine } from '../telegram/harness.ts';

export const petra = { id: '1001', username: 'Petra' };
export const stranger = { id: '666', username: 'Mallory' };
export const direct = { id: '9100', type: 1 } as const;

export interface BotOptions {
  readonly folder?: string;
  readonly discord?: DiscordStandIn;
  readonly engine?: Engine;
  readonly settings?: BotTestSettings;
  readonly allowFrom?: readonly string[];
  readonly token?: string;
}

export interface Bot {
  readonly discord: DiscordStandIn;
  readonly gateway: RunningGateway;
  readonly store: SqliteStore;
  readonly folder: string;
  readonly log: readonly LogLine[];
  readonly state: BotState;
  stop(): Promise<void>;
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
  const folder = options.folder ?? freshFolder();
  const discord = options.discord ?? (await freshDiscord());
  const log: LogLine[] = [];
  const logger = collecting(log);
  const engine = options.engine ?? new SteppedEngine();
  const server = await openChatServer({
    folder,
    engine,
    logger,
    settings: options.settings,
    pace: { firstMs: 10, everyMs: 50, typingMs: 1_000 },
    backoff: { firstMs: 20, longestMs: 100 },
  });
  const { store, gateway, core } = server;
  const state = new BotState({ name: 'discord', kind: 'discord' }, clock);
  const door = openDiscordDoor({
    name: 'discord',
    places: { token: 'DISCORD_BOT_TOKEN', allowFrom: 'DISCORD_ALLOW_FROM' },
    core,
    state,
    outbox: store.outbox,
    token: options.token ?? discord.token,
    apiRoot: discord.url,
    allowFrom: options.allowFrom ?? [petra.id],
    sendHttp: createGuardedFetch({ exceptions: [discord.host] }),
    clock,
    logger,
  });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= shutDown());
  async function shutDown(): Promise<void> {
    await door.close();
    await server.close();
  }
  onTestFinished(stop);
  await door.ready;
  return { discord, gateway, store, folder, log, state, stop };
}

/** Waits until the channel shows this many messages of the bot, and returns them. */
export async function answers(
  discord: DiscordStandIn,
  count: number,
  channelId: string = discord.general.id,
  timeoutMs = 30_000,
): Promise<readonly RoomMessage[]> {
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
export async function ask(bot: Bot, content: string, channel = bot.discord.general): Promise<RoomMessage> {
  const before = bot.discord.visible(channel.id).filter(isAnswer).length;
  bot.discord.inject({ author: petra, channel, content });
  const seen = await answers(bot.discord, before + 1, channel.id);
  return seen[before] as RoomMessage;
}

/** Waits for the answer to an interaction, which only its user can read. */
export async function callbackText(discord: DiscordStandIn, token: string): Promise<string> {
  await discord.until(() => discord.callbackOf(token) !== undefined, AbortSignal.timeout(30_000));
  const { data } = discord.callbackOf(token) as { data: { content: string; flags: number } };
  return data.content;
}

function isAnswer({ content }: RoomMessage): boolean {
  return !content.startsWith('Working …');
}
