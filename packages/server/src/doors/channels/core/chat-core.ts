// The middle of the chat channels: takes messages in, has them answered, and brings the answers back. A message is
// taken in once it is durable; from then on it is answered exactly once, whatever happens to the server.
import { setMaxListeners } from 'node:events';
import { ParleyError, type PersonName, type Prompt } from '@parley/protocol';
import { cleanText } from '../../../content/clean-text.ts';
import type { Clock, NewId } from '../../../domain/clock.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Logger } from '../../../domain/logger.ts';
import type { Outbox, OwedAnswer } from '../../../domain/outbox.ts';
import { failureText } from './answer-text.ts';
import { Answering, type Destination } from './answering.ts';
import {
  type Channel,
  type ChannelName,
  type ChatAddress,
  conversationKey,
  type Inbound,
  type Press,
  type PressAnswer,
} from './channel.ts';
import { channelLog } from './channel-log.ts';
import { ChatSessions, type SessionSettings } from './chat-sessions.ts';
import { answerCommand, type CommandAnswer, switchByButton } from './command-answers.ts';
import { readCommand, withoutAddressee } from './commands.ts';
import { sendText } from './delivery.ts';
import type { Gate } from './gate.ts';
import { joined, picturesIn } from './joined.ts';
import { KeyedLock } from './keyed-lock.ts';
import { openMessageTool } from './message-tool.ts';
import { type Outlet, openOutlet } from './outlet.ts';
import { PermissionCards } from './permission-cards.ts';
import { applyTemplate, type SummaryPrompt } from './prompt-template.ts';
import type { RetryPauses } from './retry.ts';
import type { SessionMap } from './session-map.ts';
import { type StatusPace, usualPace } from './status-message.ts';
import { Strangers } from './strangers.ts';
import type { TranscriptLog } from './transcript-log.ts';

export interface BotSettings extends SessionSettings {
  /** Who a chat speaks for, unless `people` says otherwise. */
  readonly person: PersonName;
}

export interface ChatSettings {
  /** Every bot whose chats may still be owed something, by name. */
  readonly bots: ReadonlyMap<ChannelName, BotSettings>;
  /** In private chats, by the id of the sender. A group always speaks for `person`. */
  readonly people: Readonly<Record<string, PersonName>>;
  readonly maxToolIterations: number;
  readonly summaryPrompt: SummaryPrompt;
}

export interface ChatCoreOptions {
  readonly gateway: Gateway;
  readonly outbox: Outbox;
  readonly map: SessionMap;
  readonly transcript: TranscriptLog;
  readonly settings: ChatSettings;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly pace?: StatusPace;
  readonly pauses?: RetryPauses;
}

/** A service that has come up, and who may use it. */
interface OpenChannel {
  readonly channel: Channel;
  readonly gate: Gate;
  /** As others address the bot in groups. */
  readonly botName?: string;
}

export interface ChatCore {
  /** To be called before the gateway takes up what waits: gives those sessions what they need of this run. */
  prepare(): Promise<void>;
  /** Answers that are still owed go out; from then on the channel may bring messages. */
  attach(open: OpenChannel): Promise<void>;
  /**
   * Resolves once the message need not come again: it is durable, or refused. Rejects when it must come again. Others
   * are parts of the same message that the service brings for themselves, such as the photos of an album.
   */
  receive(inbound: Inbound, others?: readonly Inbound[]): Promise<void>;
  /** What to tell whoever pressed a button. */
  press(press: Press): Promise<PressAnswer>;
  /** The service gave a chat another address; its session goes along. */
  moved(from: ChatAddress, to: ChatAddress): Promise<void>;
  close(): Promise<void>;
}

/** Longer than any service keeps a message that it could deliver again. */
const rememberMs = 7 * 24 * 60 * 60 * 1_000;
/** Messages of one chat that may wait here for their answer. */
const mostWaiting = 100;
/** What is being sent when the server stops has this long to arrive. */
const graceMs = 2_000;

export async function createChatCore(options: ChatCoreOptions): Promise<ChatCore> {
  const { gateway, outbox, settings, clock, logger } = options;
  const closing = new AbortController();
  const cutOff = new AbortController();
  const { signal } = closing;
  // Every chat waits on these two.
  setMaxListeners(0, signal, cutOff.signal);
  const log = channelLog(logger);
  const channels = new Map<ChannelName, OpenChannel & { readonly outlet: Outlet }>();
  const intake = new KeyedLock();
  const background = new Set<Promise<void>>();
  const strangers = new Strangers(log);
  const messageTool = [...settings.bots.values()].some(({ engine }) => engine === 'claude-code')
    ? await openMessageTool(async (chat, text) => {
        const open = channels.get(chat.channel);
        if (!open) throw new ParleyError('unavailable', 'The chat cannot be reached now.');
        await sendText(chat, text, {
          outlet: open.outlet,
          signal,
          pauses: options.pauses,
          onRetry: () => undefined,
        });
      }, logger)
    : undefined;
  const sessions = new ChatSessions({ ...options, settingsOf: botOf, messageTool });
  const cards = new PermissionCards(gateway, signal, (error) =>
    logger.warn({ event: 'error', err: error }, 'a permission could not be shown in a chat'),
  );
  const answering = new Answering({
    ...options,
    pace: options.pace ?? usualPace,
    mostRounds: settings.maxToolIterations,
    mostWaiting,
    sessions,
    cards,
    log,
    signal,
    outletOf: (name) => channels.get(name)?.outlet,
  });

  async function admit(parts: readonly Inbound[]): Promise<void> {
    const [first, ...others] = await unknownOf(parts);
    if (!first) return;
    const inbound = joined(first, others);
    const { key, chat, sender, messageId } = inbound;
    log.write('inbound', chat, { senderId: sender.id, kind: inbound.content.kind }, 'a message came in');
    const answer = await answerTo(inbound);
    const { text, turn, buttons } =
      'session' in answer ? { ...noText, turn: answer } : { ...answer, turn: undefined };
    const owed: OwedAnswer = {
      key,
      channel: chat.channel,
      address: { chat, messageId, ...(buttons && { buttons }) } satisfies Destination,
      ...(text !== undefined && { text }),
      ...(turn && {
        turn: {
          person: turn.session.person,
          sessionId: turn.session.id,
          turnId: turn.turnId,
          after: turn.after,
        },
      }),
      sentParts: 0,
      owedAt: clock.now(),
    };
    // A turn that had been admitted before a crash may be over by now, and may lack a picture that came late.
    const isResumed = turn?.fresh === false;
    const answered = isResumed ? others.slice(0, Math.max(0, picturesIn(turn.prompt) - 1)) : others;
    if (!(await outbox.owe({ ...owed, also: answered.map((other) => other.key) }))) return;
    await answering.add(owed, { isResumed });
    if (answered.length < others.length) throw new Error('what came late must come again');
  }

  async function unknownOf(parts: readonly Inbound[]): Promise<readonly Inbound[]> {
    const known = await Promise.all(parts.map(({ key }) => outbox.knows(key)));
    return parts.filter((_, index) => !known[index]);
  }

  /** A prompt that was admitted, or an answer that needs none. */
  async function answerTo(inbound: Inbound) {
    const { key, chat, sender, content } = inbound;
    const person = personOf(inbound);
    switch (content.kind) {
      case 'unsupported':
        return { text: `${content.what} cannot be read here yet. Please send it as text.` };
      case 'edited':
        return {
          text: 'I keep to the message as it was first sent. Send the new wording as a message of its own.',
        };
      case 'text':
        break;
      default:
        return content satisfies never;
    }
    const botName = channels.get(chat.channel)?.botName;
    const text = withoutAddressee(cleanText(content.text).trim(), botName);
    options.transcript.add({
      time: new Date(clock.now()).toISOString(),
      channel: chat.channel,
      conversation: conversationKey(chat),
      direction: 'inbound',
      senderId: sender.id,
      text,
    });
    const command = readCommand(text);
    if (command) return answerCommand(command, chat, person, { gateway, sessions, inBackground });
    const isWords = text !== '' && !text.startsWith('/') && !content.loadImages;
    // Its card shows the answer, and the turn goes on: nothing more is owed.
    if (isWords && (await cards.answer(chat, text))) return { text: '' };
    try {
      const prompt = await promptOf(text, chat, content.loadImages);
      return prompt.length === 0 ? emptyMessage : await sessions.prompt(chat, person, prompt, key);
    } catch (error) {
      if (signal.aborted) throw error;
      log.write('error', chat, { err: error }, 'a message could not be taken in');
      return { text: failureText(ParleyError.from(error).message) };
    }
  }

  async function promptOf(
    text: string,
    chat: ChatAddress,
    loadImages: ImageLoader | undefined,
  ): Promise<Prompt> {
    const images = (await loadImages?.(signal)) ?? [];
    const words = text.startsWith('/')
      ? text
      : applyTemplate(settings.summaryPrompt, text, botOf(chat).workspace);
    return [...images, ...(words === '' ? [] : [{ type: 'text' as const, text: words }])];
  }

  function botOf({ channel }: ChatAddress): BotSettings {
    const bot = settings.bots.get(channel);
    if (!bot) throw new ParleyError('internal', `There is no bot of the name ${channel}.`);
    return bot;
  }

  function personOf({ chat, sender }: Pick<Inbound, 'chat' | 'sender'>): PersonName {
    return (chat.isPrivate ? settings.people[sender.id] : undefined) ?? botOf(chat).person;
  }

  function inBackground(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) => logger.warn({ event: 'error', err: error }, 'a command did not finish'))
      .finally(() => background.delete(running));
    background.add(running);
  }

  function lets({ chat, sender }: Pick<Inbound, 'chat' | 'sender'>): boolean {
    const isLet = channels.get(chat.channel)?.gate.lets(sender) === true;
    if (!isLet) strangers.refuse(chat, sender);
    return isLet;
  }

  return {
    async prepare() {
      for (const channel of settings.bots.keys()) {
        for (const { address, turn } of await outbox.owed(channel)) {
          if (turn) await sessions.current((address as Destination).chat, turn.person).catch(() => undefined);
        }
      }
    },

    async attach(open) {
      channels.set(open.channel.name, { ...open, outlet: openOutlet(open.channel, cutOff.signal) });
      await outbox.forgetSettled(clock.now() - rememberMs);
      for (const owed of await outbox.owed(open.channel.name)) await answering.add(owed, { isResumed: true });
    },

    async receive(inbound, others = []) {
      if (!lets(inbound)) return;
      await intake.run(conversationKey(inbound.chat), async () => {
        signal.throwIfAborted();
        await admit([inbound, ...others]);
      });
    },

    moved: (from, to) => intake.run(conversationKey(from), () => sessions.move(from, to)),

    async press(press) {
      if (!lets(press)) return { text: notOnTheList };
      const answer = await cards.press(press);
      if (answer) return answer;
      const switched = await switchByButton(press.data, press.chat, personOf(press), { sessions });
      return { text: switched ?? 'This button is no longer in use.' };
    },

    async close() {
      closing.abort();
      const grace = setTimeout(() => cutOff.abort(), graceMs);
      await Promise.all([intake.idle(), answering.idle(), ...background]);
      clearTimeout(grace);
      cutOff.abort();
      await messageTool?.close();
      await options.transcript.flush();
    },
  };
}

export const notOnTheList = 'You are not on the allow list of this bot.';

type ImageLoader = Extract<Inbound['content'], { kind: 'text' }>['loadImages'];

const noText: CommandAnswer | { text: undefined; buttons?: undefined } = { text: undefined };
const emptyMessage: CommandAnswer = { text: 'The message was empty. Write what I can do for you.' };
