// Builds the bots: a core and a door for each one that has a token. When settings change, only the affected bots
// restart. Nothing is loaded if no bot has a token.
import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { type ChannelStatus, ParleyError, type Sentence, say } from '@parley/protocol';
import type { Outgoing } from '../basics/outgoing.ts';
import { botsOf, type ConfiguredBot, unknownPlaceholders } from '../config/bots.ts';
import { sessionMapFile, transcriptLogFile } from '../config/files.ts';
import type { Config } from '../config/schema.ts';
import type { ChannelHealth } from '../domain/channel-health.ts';
import type { ChatStore } from '../domain/chat-store.ts';
import { systemClock } from '../domain/clock.ts';
import type { CodeSessions } from '../domain/code-sessions.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Outbox } from '../domain/outbox.ts';
import type { People } from '../domain/people.ts';
import type { BotDoor } from '../doors/bots/core/bot-door.ts';
import { BotState } from '../doors/bots/core/bot-state.ts';
import type { ChatCore } from '../doors/bots/core/chat-core.ts';
import type { MessageLog } from '../doors/bots/core/message-log.ts';
import type { MessageTool } from '../doors/bots/core/message-tool.ts';
import type { SessionMap } from '../doors/bots/core/session-map.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { hostAndPort } from '../tools/web/web-address.ts';

export interface BotsSetup {
  readonly config: Config;
  readonly gateway: Gateway;
  readonly codeSessions: CodeSessions;
  readonly people: People;
  readonly outgoing: Outgoing;
  readonly outbox: Outbox;
  /** Which chat is in which session, if servers share a database. */
  readonly chats?: ChatStore | undefined;
  readonly logger: Logger;
}

export interface Bots extends ChannelHealth {
  /** Opens the doors. Call it after the gateway has resumed the waiting prompts. */
  open(): Promise<void>;
  /** Starts, stops and restarts bots whose settings changed. The others keep running. */
  apply(config: Config): Promise<void>;
  close(): Promise<void>;
}

/** A bot with a token, and all settings that affect it. If one of them changes, the bot restarts. */
interface BotPlan extends Omit<ConfiguredBot, 'token' | 'person'> {
  readonly token: string;
  readonly person: string;
  readonly isPersonNamed: boolean;
  readonly people: Config['channels']['people'];
  readonly maxToolIterations: number;
  readonly summaryPrompt: Config['summaryPrompt'];
}

/** What all bots share, as long as the server runs. */
interface Shared {
  readonly map: SessionMap;
  readonly messageLog: MessageLog;
  readonly messageTool: MessageTool;
}

interface BotPart {
  readonly plan: BotPlan;
  readonly state: BotState;
  core?: ChatCore;
  door?: BotDoor;
}

/** Call it before the gateway resumes the waiting prompts. */
export async function prepareBots(setup: BotsSetup): Promise<Bots> {
  let { config } = setup;
  let sharing: Promise<Shared> | undefined;
  let parts = plansOf(config).map(toPart);
  try {
    for (const part of parts) await prepare(part);
  } catch (error) {
    await close();
    throw error;
  }

  /** A bot that is turned off gets a core, too: its prompts may be waiting. */
  async function prepare(part: BotPart): Promise<void> {
    const { plan } = part;
    if (!parts.some((one) => one.plan.isEnabled)) return;
    sharing ??= openShared(setup, coreOf);
    try {
      if (plan.isEnabled) await mkdir(plan.workspace, { recursive: true });
    } catch (error) {
      const reason = say`The bot can't work in ${plan.workspace}. Check the path and its permissions.`;
      return failed(part, reason, error);
    }
    part.core = await openCore(plan, await sharing, { ...setup, models });
    await part.core.prepare();
  }

  /** Only this bot doesn't start. */
  function failed({ plan, state }: BotPart, reason: Sentence, error: unknown): void {
    state.failed(reason);
    setup.logger.error({ event: 'error', channel: plan.name, err: error }, 'failed to start a bot');
  }

  async function connect(part: BotPart): Promise<void> {
    if (part.core && part.plan.isEnabled) part.door = await openDoor(part, part.core, setup);
  }

  function models(): readonly string[] {
    return [...new Set([config.model, ...config.models, ...botsOf(config).map(({ model }) => model)])];
  }

  function coreOf(name: string): ChatCore | undefined {
    return parts.find(({ plan }) => plan.name === name)?.core;
  }

  async function close(): Promise<void> {
    await Promise.all(parts.map(stop));
    await sharing?.then(
      ({ messageTool }) => messageTool.close(),
      () => undefined,
    );
  }

  const statusHere = () => parts.map(({ state }) => state.status);
  return {
    statusHere,
    status: async () => statusHere(),

    async open() {
      for (const part of parts) await connect(part);
    },

    async apply(changed) {
      config = changed;
      const before = parts;
      const plans = plansOf(config);
      const kept = (plan: BotPlan) => before.find((part) => isDeepStrictEqual(part.plan, plan));
      parts = plans.map((plan) => kept(plan) ?? toPart(plan));
      await Promise.all(before.filter((part) => !parts.includes(part)).map(stop));
      for (const part of parts.filter((one) => !before.includes(one))) {
        try {
          await prepare(part);
          await connect(part);
        } catch (error) {
          failed(part, say`${ParleyError.from(error).message}`, error);
        }
      }
    },

    close,
  };
}

/** The status of the bots with a token before any server runs them. */
export function plannedStatus(config: Config): readonly ChannelStatus[] {
  return plansOf(config).map((plan) => toPart(plan).state.status);
}

async function stop({ door, core }: BotPart): Promise<void> {
  await door?.close();
  await core?.close();
}

function plansOf(config: Config): readonly BotPlan[] {
  const { channels, people, maxToolIterations, summaryPrompt } = config;
  const [firstPerson = ''] = people;
  return botsOf(config).flatMap(({ token, ...bot }) => {
    if (token === undefined) return [];
    const person = bot.person ?? firstPerson;
    const common = { people: channels.people, maxToolIterations, summaryPrompt };
    return [{ ...bot, ...common, token: token.reveal(), person, isPersonNamed: bot.person !== undefined }];
  });
}

function toPart(plan: BotPlan): BotPart {
  const { name, service, isEnabled } = plan;
  const state = new BotState({ name, kind: service }, systemClock, isEnabled ? 'connecting' : 'off');
  return { plan, state };
}

async function openDoor({ plan, state }: BotPart, core: ChatCore, setup: BotsSetup): Promise<BotDoor> {
  const { outbox, outgoing, logger } = setup;
  // A self-hosted API may run on this machine.
  const sendHttp = createGuardedFetch({ exceptions: [hostAndPort(new URL(plan.apiRoot))], outgoing });
  const options = { ...plan, state, core, outbox, sendHttp, outgoing, logger };
  switch (plan.service) {
    case 'telegram': {
      const { openTelegramDoor } = await import('../doors/bots/telegram/door.ts');
      return openTelegramDoor(options);
    }
    case 'discord': {
      const { openDiscordDoor } = await import('../doors/bots/discord/door.ts');
      return openDiscordDoor({ ...options, clock: systemClock });
    }
    default:
      return plan.service satisfies never;
  }
}

async function openCore(
  plan: BotPlan,
  shared: Shared,
  setup: BotsSetup & { readonly models: () => readonly string[] },
): Promise<ChatCore> {
  const { createChatCore } = await import('../doors/bots/core/chat-core.ts');
  const { gateway, codeSessions, outbox, people, logger, models } = setup;
  const placeholders = unknownPlaceholders(plan.summaryPrompt);
  if (placeholders.length > 0) {
    logger.warn({ placeholders }, 'summaryPrompt.template has placeholders that are not filled');
  }
  return createChatCore({
    gateway,
    codeSessions,
    outbox,
    people,
    ...shared,
    settings: { ...plan, models, bots: new Map([[plan.name, plan]]) },
    clock: systemClock,
    newId: randomUUID,
    logger,
  });
}

async function openShared(
  { config, chats, logger }: BotsSetup,
  coreOf: (bot: string) => ChatCore | undefined,
): Promise<Shared> {
  const { unreachable } = await import('../doors/bots/core/chat-core.ts');
  const { openMessageTool } = await import('../doors/bots/core/message-tool.ts');
  const { openSessionMap, storedSessionMap } = await import('../doors/bots/core/session-map.ts');
  const { openMessageLog } = await import('../doors/bots/core/message-log.ts');
  return {
    map: chats
      ? storedSessionMap(chats, systemClock, logger)
      : await openSessionMap(sessionMapFile(config), systemClock, logger),
    messageLog: openMessageLog({ ...config.transcriptLog, path: transcriptLogFile(config) }, logger),
    messageTool: await openMessageTool(async (chat, text) => {
      const core = coreOf(chat.channel);
      if (!core) throw unreachable;
      await core.send(chat, text);
    }, logger),
  };
}
