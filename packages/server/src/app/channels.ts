// Puts the chat channels together: the core that they share, and a door for each bot that has a token. Without one,
// nothing of all this is loaded.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { sessionMapFile, transcriptLogFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../domain/clock.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Outbox } from '../domain/outbox.ts';
import type { ChatCore } from '../doors/channels/core/chat-core.ts';

export interface ChannelsSetup {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly outbox: Outbox;
  readonly logger: Logger;
}

export interface Channels {
  /** Opens the doors, once the gateway has taken up what waits. */
  open(): Promise<void>;
  close(): Promise<void>;
}

interface Door {
  close(): Promise<void>;
}

/** To be called before the gateway takes up what waits. */
export async function prepareChannels(setup: ChannelsSetup): Promise<Channels> {
  const openers = [telegramDoor, discordDoor].flatMap((opener) => opener(setup) ?? []);
  if (openers.length === 0) return { open: async () => undefined, close: async () => undefined };
  await mkdir(setup.config.workspace, { recursive: true });
  const core = await openCore(setup);
  await core.prepare();
  const doors: Door[] = [];
  return {
    async open() {
      for (const opener of openers) doors.push(await opener(core));
    },
    async close() {
      await Promise.all(doors.map((door) => door.close()));
      await core.close();
    },
  };
}

type DoorOpener = (core: ChatCore) => Promise<Door>;

function telegramDoor({ config, outbox, logger }: ChannelsSetup): DoorOpener | undefined {
  const { enabled, token, apiRoot, allowFrom } = config.channels.telegram;
  if (token === undefined || enabled === false) return undefined;
  return async (core) => {
    const { openTelegramDoor } = await import('../doors/channels/telegram/door.ts');
    const { createGuardedFetch } = await import('../tools/web/guarded-fetch.ts');
    // A Bot API of one's own may well be on this machine.
    const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(apiRoot)] });
    return openTelegramDoor({ core, outbox, token: token.reveal(), apiRoot, allowFrom, sendHttp, logger });
  };
}

function discordDoor({ config, outbox, logger }: ChannelsSetup): DoorOpener | undefined {
  const { enabled, token, apiRoot, allowFrom } = config.channels.discord;
  if (token === undefined || enabled === false) return undefined;
  return async (core) => {
    const { openDiscordDoor } = await import('../doors/channels/discord/door.ts');
    const { createGuardedFetch } = await import('../tools/web/guarded-fetch.ts');
    const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(apiRoot)] });
    return openDiscordDoor({
      core,
      outbox,
      token: token.reveal(),
      apiRoot,
      allowFrom,
      sendHttp,
      clock: systemClock,
      logger,
    });
  };
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
