// Puts the chat channels together: the core that they share, and a door for each bot that has a token. Without one,
// nothing of all this is loaded.
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
import { BotState } from '../doors/channels/core/bot-state.ts';
import type { ChatCore } from '../doors/channels/core/chat-core.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { hostAndPort } from '../tools/web/web-address.ts';

export interface ChannelsSetup {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly outbox: Outbox;
  readonly logger: Logger;
}

export interface Channels extends ChannelHealth {
  /** Opens the doors, once the gateway has taken up what waits. */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface Door {
  close(): Promise<void>;
}

/** A bot that has a token. */
interface Bot extends ConfiguredBot {
  readonly token: Secret;
  readonly state: BotState;
}

/** To be called before the gateway takes up what waits. */
export async function prepareChannels(setup: ChannelsSetup): Promise<Channels> {
  const bots = botsOf(setup.config).flatMap(withState);
  const running = bots.filter(({ isOn }) => isOn);
  const status = () => bots.map(({ state }) => state.status);
  if (running.length === 0) return { status, open: async () => undefined, close: async () => undefined };
  for (const { workspace } of running) await mkdir(workspace, { recursive: true });
  const core = await openCore(setup);
  await core.prepare();
  const doors: Door[] = [];
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

function withState(bot: ConfiguredBot): readonly Bot[] {
  const { name, service, token, isOn } = bot;
  if (token === undefined) return [];
  const state = new BotState({ name, kind: service }, systemClock, isOn ? 'connecting' : 'off');
  return [{ ...bot, token, state }];
}

async function openDoor(bot: Bot, core: ChatCore, { outbox, logger }: ChannelsSetup): Promise<Door> {
  // An API of one's own may well be on this machine.
  const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(new URL(bot.apiRoot))] });
  const options = { ...bot, token: bot.token.reveal(), core, outbox, sendHttp, logger };
  switch (bot.service) {
    case 'telegram': {
      const { openTelegramDoor } = await import('../doors/channels/telegram/door.ts');
      return openTelegramDoor(options);
    }
    case 'discord': {
      const { openDiscordDoor } = await import('../doors/channels/discord/door.ts');
      return openDiscordDoor({ ...options, clock: systemClock });
    }
    default:
      return bot.service satisfies never;
  }
}

async function openCore({ config, gateway, outbox, logger }: ChannelsSetup): Promise<ChatCore> {
  const { createChatCore } = await import('../doors/channels/core/chat-core.ts');
  const { openSessionMap } = await import('../doors/channels/core/session-map.ts');
  const { openTranscriptLog } = await import('../doors/channels/core/transcript-log.ts');
  const { channels, transcriptLog, people, maxToolIterations, summaryPrompt } = config;
  const [somebody = ''] = people;
  return createChatCore({
    gateway,
    outbox,
    map: await openSessionMap(sessionMapFile(config), systemClock, logger),
    transcript: openTranscriptLog({ ...transcriptLog, path: transcriptLogFile(config) }, logger),
    settings: {
      bots: new Map(botsOf(config).map((bot) => [bot.name, { ...bot, person: bot.person ?? somebody }])),
      people: channels.people,
      maxToolIterations,
      summaryPrompt,
    },
    clock: systemClock,
    newId: randomUUID,
    logger,
  });
}
