// A Telegram bot as it runs in the server: the real door, grammY, gateway and database, with the stand-in of the Bot API
// and an engine that the test scripts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EngineEvent, type EngineName, promptText } from '@parley/protocol';
import { type SentMessage, startTelegramStandIn, type TelegramStandIn } from '@parley/stand-ins';
import { onTestFinished } from 'vitest';
import type { Engine, EngineTurn } from '../../../../src/domain/engine.ts';
import type { LogFields, Logger } from '../../../../src/domain/logger.ts';
import { BotState } from '../../../../src/doors/bots/core/bot-state.ts';
import type { TranscriptSettings } from '../../../../src/doors/bots/core/transcript-log.ts';
import { openTelegramDoor } from '../../../../src/doors/bots/telegram/door.ts';
import type { RunningGateway } from '../../../../src/gateway/gateway.ts';
import type { SqliteStore } from '../../../../src/stores/sqlite/store.ts';
import { createGuardedFetch } from '../../../../src/tools/web/guarded-fetch.ts';
import { type BotTestSettings, clock, openChatServer } from '../chat-server.ts';

export const petra = { id: 1001, is_bot: false, first_name: 'Petra' };
export const stranger = { id: 666, is_bot: false, first_name: 'Mallory' };

/** A JPEG with one gray pixel. */
export const jpeg =
  '/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/yQALCAABAAEBAREA/8wABgAQEAX/2gAIAQEAAD8A0s8g/9k=';

type Script = (turn: EngineTurn) => AsyncIterable<EngineEvent>;

/** Echoes every prompt, or runs what the test scripted for it. */
export class SteppedEngine implements Engine {
  readonly storesEvents: boolean;
  readonly name: EngineName;
  readonly turns: EngineTurn[] = [];
  readonly scripts = new Map<string, Script>();

  constructor(name: EngineName = 'claude-code') {
    this.name = name;
    this.storesEvents = name === 'messages-api';
  }

  run(turn: EngineTurn): AsyncIterable<EngineEvent> {
    this.turns.push(turn);
    return (this.scripts.get(promptText(turn.prompt)) ?? echo)(turn);
  }

  async close(): Promise<void> {}
}

export interface LogLine {
  readonly level: string;
  readonly fields: LogFields;
  readonly message: string;
}

export interface BotOptions {
  readonly folder?: string;
  readonly telegram?: TelegramStandIn;
  readonly engine?: Engine;
  readonly settings?: BotTestSettings;
  readonly allowFrom?: readonly string[];
  readonly transcript?: Partial<TranscriptSettings>;
  readonly queue?: number;
}

export interface Bot {
  readonly telegram: TelegramStandIn;
  readonly gateway: RunningGateway;
  readonly store: SqliteStore;
  readonly folder: string;
  readonly log: readonly LogLine[];
  readonly state: BotState;
  stop(): Promise<void>;
}

/** A folder for a bot's files. It is removed after the test. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'parley-bot-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export async function freshTelegram(): Promise<TelegramStandIn> {
  const telegram = await startTelegramStandIn();
  onTestFinished(() => telegram.close());
  return telegram;
}

/** Resolves when the bot is polling. It stops after the test at the latest. */
export async function startBot(options: BotOptions = {}): Promise<Bot> {
  const folder = options.folder ?? freshFolder();
  const telegram = options.telegram ?? (await freshTelegram());
  const log: LogLine[] = [];
  const logger = collecting(log);
  const engine = options.engine ?? new SteppedEngine();
  const server = await openChatServer({
    folder,
    engine,
    logger,
    settings: options.settings,
    transcript: options.transcript,
    queue: options.queue ?? 20,
    pace: { firstMs: 10, everyMs: 50, typingMs: 1_000 },
    backoff: { firstMs: 20, longestMs: 100 },
  });
  const { store, gateway, core } = server;
  const state = new BotState({ name: 'telegram', kind: 'telegram' }, clock);
  const door = openTelegramDoor({
    name: 'telegram',
    places: { token: 'TELEGRAM_BOT_TOKEN', allowFrom: 'TELEGRAM_ALLOW_FROM' },
    core,
    state,
    outbox: store.outbox,
    token: telegram.token,
    apiRoot: telegram.url,
    allowFrom: options.allowFrom ?? [String(petra.id)],
    sendHttp: createGuardedFetch({ exceptions: [new URL(telegram.url).host] }),
    logger,
    waitSeconds: 2,
  });
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= shutDown());
  async function shutDown(): Promise<void> {
    await door.close();
    await server.close();
  }
  onTestFinished(stop);
  await door.ready;
  return { telegram, gateway, store, folder, log, state, stop };
}

/** Waits until the chat shows this many messages of the bot, and returns them. */
export async function answers(
  telegram: TelegramStandIn,
  count: number,
  chatId: number = petra.id,
  timeoutMs = 20_000,
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

export async function* echo({ prompt }: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  yield* say(`You said: ${promptText(prompt)}`);
}

export function* say(text: string): Generator<EngineEvent, void, undefined> {
  yield { type: 'text.delta', text };
  yield { type: 'message', role: 'assistant', content: [{ type: 'text', text }] };
}

/** Lets a script wait until the test opens the gate. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

export function collecting(lines: LogLine[], own: LogFields = {}): Logger {
  const write = (level: string) => (fields: LogFields, message: string) =>
    void lines.push({ level, fields: { ...own, ...fields }, message });
  return {
    debug: write('debug'),
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
    child: (fields) => collecting(lines, { ...own, ...fields }),
  };
}

/** Not a status message, and not the probe for the current message number. */
function isAnswer({ text }: SentMessage): boolean {
  return !text.startsWith('Working …') && text !== '…';
}
