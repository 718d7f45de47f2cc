// The center of a chat bot: connects it, takes in its messages and sends the answers back. Each bot has its own core,
// so that one can restart while the others keep running.
import { setMaxListeners } from 'node:events';
import { ParleyError, type PersonName } from '@parley/protocol';
import type { Backoff } from '../../../basics/backoff.ts';
import { KeyedQueue } from '../../../basics/keyed-queue.ts';
import type { Clock, NewId } from '../../../domain/clock.ts';
import type { CodeSessions } from '../../../domain/code-sessions.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Outbox, OwedAnswer } from '../../../domain/outbox.ts';
import type { People } from '../../../domain/people.ts';
import type { AllowList } from './allow-list.ts';
import { AnswerDelivery, type Destination, sendText } from './answer-delivery.ts';
import {
  type Bot,
  type ChannelName,
  type ChatAddress,
  chatKey,
  type Inbound,
  type Press,
  type PressAnswer,
} from './bot.ts';
import { createChatLog } from './chat-log.ts';
import { ChatSessions, type SessionSettings } from './chat-sessions.ts';
import { type CommandAnswer, switchByButton } from './commands.ts';
import { Intake, type SummaryPrompt } from './intake.ts';
import type { MessageLog } from './message-log.ts';
import type { MessageTool } from './message-tool.ts';
import { createMessenger, type Messenger } from './messenger.ts';
import { PermissionCards } from './permission-cards.ts';
import type { SessionMap } from './session-map.ts';
import { defaultPace, type StatusPace } from './status-message.ts';

export interface BotSettings extends SessionSettings {
  /** Whose sessions its chats use, unless `people` says otherwise. */
  readonly person: PersonName;
  /** False if the configuration names nobody, so that the first person is the default. */
  readonly isPersonNamed: boolean;
}

export interface ChatSettings {
  /** Every bot whose chats may still be owed an answer, by name. */
  readonly bots: ReadonlyMap<ChannelName, BotSettings>;
  /** The person of a private chat, by sender id. A group always uses its bot's `person`. */
  readonly people: Readonly<Record<string, PersonName>>;
  /** The models of assistants, which may change. */
  readonly models: () => readonly string[];
  readonly maxToolIterations: number;
  readonly summaryPrompt: SummaryPrompt;
}

export interface ChatCoreOptions {
  readonly gateway: Gateway;
  /** Absent if Claude Code is switched off. */
  readonly codeSessions?: CodeSessions | undefined;
  readonly outbox: Outbox;
  /** Who exists and what they may do. The configuration alone decides whom a chat acts for. */
  readonly people: Pick<People, 'has' | 'hasAccount' | 'may'>;
  readonly map: SessionMap;
  readonly messageLog: MessageLog;
  readonly settings: ChatSettings;
  /** Lets the program send messages during a turn. It outlives the core, because turns do. */
  readonly messageTool?: Pick<MessageTool, 'mcpConfigFor'> | undefined;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly pace?: StatusPace;
  readonly backoff?: Backoff;
}

/** A bot that its service has accepted. */
interface AttachedBot {
  readonly bot: Bot;
  readonly allowList: AllowList;
  /** The name that groups address it by. */
  readonly botName?: string;
}

export interface ChatCore {
  /** Call this before the gateway resumes waiting prompts: their sessions need this run's message tool. */
  prepare(): Promise<void>;
  /** Sends the answers that are still owed. From then on the bot may deliver messages. */
  attach(attached: AttachedBot): Promise<void>;
  /**
   * Resolves when the message doesn't have to be delivered again: it is durable, or refused. Rejects when it must be
   * delivered again. `others` are parts of the same message that the service delivers separately, such as the photos of
   * an album.
   */
  receive(inbound: Inbound, others?: readonly Inbound[]): Promise<void>;
  /** Answers a command that `isReadOnlyCommand` accepts, where a service can show the answer only to whoever asked. */
  answerPrivately(inbound: Inbound): Promise<CommandAnswer>;
  /** Returns what to tell the person who pressed the button, even if it failed. Rejects while the core closes. */
  press(press: Press): Promise<PressAnswer>;
  /** Sends a message that is not an answer. Rejects with `unavailable` while the bot is not connected. */
  send(chat: ChatAddress, text: string): Promise<void>;
  /** The service gave a chat a new address; its session moves with it. */
  moved(from: ChatAddress, to: ChatAddress): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any service keeps a message that it could deliver again. */
const rememberMs = 7 * 24 * 60 * 60 * 1_000;
/** Messages per chat that may wait for their answer. */
const maxWaiting = 100;
/** How long a message that is being sent may take when the server stops. */
const graceMs = 2_000;
/** Beyond this many, refused senders are not logged, so that strangers cannot fill the log. */
const maxRefusedLogged = 1_000;

export function createChatCore(options: ChatCoreOptions): ChatCore {
  const { gateway, outbox, settings, people, clock, logger } = options;
  const closing = new AbortController();
  const cutOff = new AbortController();
  const { signal } = closing;
  // Every chat waits on these two.
  setMaxListeners(0, signal, cutOff.signal);
  const log = createChatLog(logger);
  const bots = new Map<ChannelName, AttachedBot & { readonly messenger: Messenger }>();
  const received = new KeyedQueue();
  const background = new Set<Promise<void>>();
  const refusedSenders = new Set<string>();
  const sessions = new ChatSessions({
    ...options,
    log,
    settingsOf,
    messageTool: options.messageTool,
    mayBypass: (person) => people.may(person, 'bypass-permissions'),
  });
  const cards = new PermissionCards(gateway, signal, (error) =>
    logger.warn({ event: 'error', err: error }, 'failed to show a permission in a chat'),
  );
  const answers = new AnswerDelivery({
    ...options,
    pace: options.pace ?? defaultPace,
    maxRounds: settings.maxToolIterations,
    maxWaiting,
    sessions,
    cards,
    log,
    signal,
    messengerOf: (name) => bots.get(name)?.messenger,
  });
  const intake = new Intake({
    ...options,
    summaryPrompt: settings.summaryPrompt,
    models: settings.models,
    sessions,
    cards,
    answers,
    log,
    signal,
    inBackground,
    personOf,
    refusalOf,
    workspaceOf: (chat) => settingsOf(chat).workspace,
    botNameOf: (name) => bots.get(name)?.botName,
  });

  function settingsOf({ channel }: ChatAddress): BotSettings {
    const bot = settings.bots.get(channel);
    if (!bot) throw new ParleyError('internal', `There is no bot named ${channel}.`);
    return bot;
  }

  function personOf({ chat, sender }: Pick<Inbound, 'chat' | 'sender'>): PersonName {
    return (chat.isPrivate ? settings.people[sender.id] : undefined) ?? settingsOf(chat).person;
  }

  /**
   * Why the chat may not act for its person; undefined if it may. Only the server's owner writes the configuration, so
   * a chat may act for somebody with an account if the configuration names them, but not if they are only the default.
   */
  function refusalOf(inbound: Pick<Inbound, 'chat' | 'sender'>): string | undefined {
    const person = personOf(inbound);
    if (!people.has(person)) return nobodyHere;
    const { chat, sender } = inbound;
    const isOwn = chat.isPrivate && settings.people[sender.id] !== undefined;
    return people.hasAccount(person) && !isOwn && !settingsOf(chat).isPersonNamed ? nobodyNamed : undefined;
  }

  function inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => logger.warn({ event: 'error', err: error }, 'a command failed'))
      .finally(() => background.delete(running));
    background.add(running);
  }

  /** A refused sender gets no reply. The log shows each sender once per bot, so that people can find their id. */
  function isAllowed({ chat, sender }: Pick<Inbound, 'chat' | 'sender'>): boolean {
    if (bots.get(chat.channel)?.allowList.allows(sender) === true) return true;
    const refused = `${chat.channel}:${sender.id}`;
    if (!refusedSenders.has(refused) && refusedSenders.size < maxRefusedLogged) {
      refusedSenders.add(refused);
      log.write('inbound', chat, { senderId: sender.id, refused: true }, notOnAllowListLog);
    }
    return false;
  }

  return {
    async prepare() {
      for (const channel of settings.bots.keys()) {
        for (const { address, turn } of await outbox.owed(channel)) {
          if (turn) await sessions.current((address as Destination).chat, turn.person).catch(() => undefined);
        }
      }
    },

    async attach(attached) {
      const { bot } = attached;
      bots.set(bot.name, { ...attached, messenger: createMessenger(bot, cutOff.signal) });
      await outbox.forgetSettled(clock.now() - rememberMs);
      // Answers in doubt come first: nothing else may go out in their chats before.
      const owed = (await outbox.owed(bot.name)).toSorted((one, other) => doubt(other) - doubt(one));
      for (const answer of owed) await answers.add(answer, { isResumed: true });
    },

    async receive(inbound, others = []) {
      if (!isAllowed(inbound)) return;
      await received.run(chatKey(inbound.chat), async () => {
        signal.throwIfAborted();
        await intake.admit([inbound, ...others]);
      });
    },

    answerPrivately: async (inbound) =>
      isAllowed(inbound) ? intake.answerPrivately(inbound) : { text: notOnAllowList },

    async send(chat, text) {
      const messenger = bots.get(chat.channel)?.messenger;
      if (!messenger) throw unreachable;
      await sendText(chat, text, messenger, { signal, backoff: options.backoff });
    },

    moved: (from, to) => received.run(chatKey(from), () => sessions.move(from, to)),

    async press(press) {
      if (!isAllowed(press)) return { text: notOnAllowList };
      const refusal = refusalOf(press);
      if (refusal !== undefined) return { text: refusal };
      try {
        const answer = await cards.press(press);
        if (answer) return answer;
        const switched = await switchByButton(press.data, press.chat, personOf(press), { sessions });
        return { text: switched ?? 'This button no longer works.' };
      } catch (error) {
        if (signal.aborted) throw error;
        log.write('error', press.chat, { err: error }, 'failed to do what a button says');
        return { text: ParleyError.from(error).message };
      }
    },

    async close() {
      closing.abort();
      const grace = setTimeout(() => cutOff.abort(), graceMs);
      await Promise.all([received.idle(), answers.idle(), ...background]);
      clearTimeout(grace);
      cutOff.abort();
      await options.messageLog.flush();
    },
  };
}

function doubt({ attempt }: OwedAnswer): number {
  return attempt === undefined ? 0 : 1;
}

const nobodyHere = 'The person this bot acts for has no access at the moment. Ask an owner of this server.';
const nobodyNamed =
  'This bot is not set up for a person yet. Ask whoever runs this server to set channels.person or channels.people.';
export const unreachable = new ParleyError('unavailable', 'The chat cannot be reached right now.');
export const notOnAllowList = 'You are not on the allow list of this bot.';
const notOnAllowListLog = 'refused a sender who is not on the allow list';
