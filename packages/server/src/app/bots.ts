// Starts the bots: the core that they share, and a door for each bot that has a token. Without a token, none of this is
// loaded.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { botsOf, type ConfiguredBot } from '../config/bots.ts';
import { sessionMapFile, transcriptLogFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import type { Secret } from '../config/secret.ts';
import type { ChannelHealth } from '../domain/channel-health.ts';
import { systemClock } from '../domain/clock.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Outbox } from '../domain/outbox.ts';
import type { BotDoor } from '../doors/bots/core/bot-door.ts';
import { BotState } from '../doors/bots/core/bot-state.ts';
import type { ChatCore } from '../doors/bots/core/chat-core.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { hostAndPort } from '../tools/web/web-address.ts';

export interface BotsSetup {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly outbox: Outbox;
  readonly logger: Logger;
}

export interface Bots extends ChannelHealth {
  /** Opens the doors. Call it after the gateway has resumed the waiting prompts. */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** A bot with a token. */
interface StartableBot extends ConfiguredBot {
  readonly token: Secret;
  readonly state: BotState;
}

/** Call it before the gateway resumes the waiting prompts. */
export async function prepareBots(setup: BotsSetup): Promise<Bots> {
  const bots = botsOf(setup.config).flatMap(withState);
  const running = bots.filter(({ isEnabled }) => isEnabled);
  const status = () => bots.map(({ state }) => state.status);
  if (running.length === 0) return { status, open: async () => undefined, close: async () => undefined };
  for (const { workspace } of running) await mkdir(workspace, { recursive: true });
  const core = await openCore(setup);
  await core.prepare();
  const doors: BotDoor[] = [];
  return {
    status,
    async open() {
      for (const bot of running) doors.push(await openDoor(bot, core, setup));
    },
    async close() {
      await Promise.all(doors.map((door) => door.close()));
      await core.close();
    },
  };
}

function withState(bot: ConfiguredBot): readonly StartableBot[] {
  const { name, service, token, isEnabled } = bot;
  if (token === undefined) return [];
  const state = new BotState({ name, kind: service }, systemClock, isEnabled ? 'connecting' : 'off');
  return [{ ...bot, token, state }];
}

async function openDoor(bot: StartableBot, core: ChatCore, { outbox, logger }: BotsSetup): Promise<BotDoor> {
  // A self-hosted API may run on this machine.
  const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(new URL(bot.apiRoot))] });
  const options = { ...bot, token: bot.token.reveal(), core, outbox, sendHttp, logger };
  switch (bot.service) {
    case 'telegram': {
      const { openTelegramDoor } = await import('../doors/bots/telegram/door.ts');
      return openTelegramDoor(options);
    }
    case 'discord': {
      const { openDiscordDoor } = await import('../doors/bots/discord/door.ts');
      return openDiscordDoor({ ...options, clock: systemClock });
    }
    default:
      return bot.service satisfies never;
  }
}

async function openCore({ config, gateway, outbox, logger }: BotsSetup): Promise<ChatCore> {
  const { createChatCore } = await import('../doors/bots/core/chat-core.ts');
  const { openSessionMap } = await import('../doors/bots/core/chat-sessions.ts');
  const { openTranscriptLog } = await import('../doors/bots/core/transcript-log.ts');
  const { channels, transcriptLog, people, maxToolIterations, summaryPrompt } = config;
  const [firstPerson = ''] = people;
  return createChatCore({
    gateway,
    outbox,
    map: await openSessionMap(sessionMapFile(config), systemClock, logger),
    transcript: openTranscriptLog({ ...transcriptLog, path: transcriptLogFile(config) }, logger),
    settings: {
      bots: new Map(botsOf(config).map((bot) => [bot.name, { ...bot, person: bot.person ?? firstPerson }])),
      people: channels.people,
      maxToolIterations,
      summaryPrompt,
    },
    clock: systemClock,
    newId: randomUUID,
    logger,
  });
}
