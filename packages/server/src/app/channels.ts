// Puts the chat channels together: the core that they share, and a door for each bot that has a token. Without one,
// nothing of all this is loaded.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { sessionMapFile, transcriptLogFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import type { ChannelHealth } from '../domain/channel-health.ts';
import { systemClock } from '../domain/clock.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Outbox } from '../domain/outbox.ts';
import { BotState } from '../doors/channels/core/bot-state.ts';
import type { ChatCore } from '../doors/channels/core/chat-core.ts';

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
interface Bot {
  readonly state: BotState;
  /** Absent where it is switched off. */
  readonly open: ((core: ChatCore) => Promise<Door>) | undefined;
}

/** To be called before the gateway takes up what waits. */
export async function prepareChannels(setup: ChannelsSetup): Promise<Channels> {
  const bots = [telegramBot(setup), discordBot(setup)].flatMap((bot) => bot ?? []);
  const status = () => bots.map(({ state }) => state.status);
  const openers = bots.flatMap(({ open }) => open ?? []);
  if (openers.length === 0) return { status, open: async () => undefined, close: async () => undefined };
  await mkdir(setup.config.workspace, { recursive: true });
  const core = await openCore(setup);
  await core.prepare();
  const doors: Door[] = [];
  return {
    status,
    async open() {
      for (const opener of openers) doors.push(await opener(core));
    },
    async close() {
      await Promise.all(doors.map((door) => door.close()));
      await core.close();
    },
  };
}

function telegramBot({ config, outbox, logger }: ChannelsSetup): Bot | undefined {
  const { enabled, token, apiRoot, allowFrom } = config.channels.telegram;
  if (token === undefined) return undefined;
  if (enabled === false) return { state: new BotState('telegram', systemClock, 'off'), open: undefined };
  const state = new BotState('telegram', systemClock);
  const open = async (core: ChatCore) => {
    const { openTelegramDoor } = await import('../doors/channels/telegram/door.ts');
    const { createGuardedFetch } = await import('../tools/web/guarded-fetch.ts');
    // A Bot API of one's own may well be on this machine.
    const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(apiRoot)] });
    const shared = { core, outbox, apiRoot, allowFrom, sendHttp, state, logger };
    return openTelegramDoor({ ...shared, token: token.reveal() });
  };
  return { state, open };
}

function discordBot({ config, outbox, logger }: ChannelsSetup): Bot | undefined {
  const { enabled, token, apiRoot, allowFrom } = config.channels.discord;
  if (token === undefined) return undefined;
  if (enabled === false) return { state: new BotState('discord', systemClock, 'off'), open: undefined };
  const state = new BotState('discord', systemClock);
  const open = async (core: ChatCore) => {
    const { openDiscordDoor } = await import('../doors/channels/discord/door.ts');
    const { createGuardedFetch } = await import('../tools/web/guarded-fetch.ts');
    const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(apiRoot)] });
    const shared = { core, outbox, apiRoot, allowFrom, sendHttp, state, logger };
    return openDiscordDoor({ ...shared, token: token.reveal(), clock: systemClock });
  };
  return { state, open };
}

async function openCore({ config, gateway, outbox, logger }: ChannelsSetup): Promise<ChatCore> {
  const { createChatCore } = await import('../doors/channels/core/chat-core.ts');
  const { openSessionMap } = await import('../doors/channels/core/session-map.ts');
  const { openTranscriptLog } = await import('../doors/channels/core/transcript-log.ts');
  const { channels, transcriptLog } = config;
  return createChatCore({
    gateway,
    outbox,
    map: await openSessionMap(sessionMapFile(config), systemClock, logger),
    transcript: openTranscriptLog({ ...transcriptLog, path: transcriptLogFile(config) }, logger),
    settings: {
      engine: channels.engine,
      assistant: channels.assistant,
      model: config.model,
      workspace: config.workspace,
      permissionMode: channels.permissionMode,
      person: channels.person ?? config.people[0] ?? '',
      people: channels.people,
      maxToolIterations: config.maxToolIterations,
      summaryPrompt: config.summaryPrompt,
    },
    clock: systemClock,
    newId: randomUUID,
    logger,
  });
}

function hostAndPort(address: string): string {
  const { hostname, port, protocol } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
