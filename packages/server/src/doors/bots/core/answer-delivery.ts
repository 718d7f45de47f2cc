// Delivers the answers that chats are owed: waits for the end of a turn, writes the answer and sends each message
// exactly once. It stores each attempt first, to find out after a crash whether the message arrived. Answers in one
// session go out in order; those without a turn, or in a session that the chat has left, don't wait for its turns.
import type { Backoff } from '../../../basics/backoff.ts';
import { KeyedQueue } from '../../../basics/keyed-queue.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Outbox, OwedAnswer, OwedTurn } from '../../../domain/outbox.ts';
import {
  type ChannelName,
  type ChatAddress,
  chatKey,
  type MessageRef,
  type OutgoingMessage,
  ServiceError,
} from './bot.ts';
import type { ChatLog } from './chat-log.ts';
import type { ChatSessions } from './chat-sessions.ts';
import type { MessageLog } from './message-log.ts';
import type { Delivery, Messenger } from './messenger.ts';
import type { PermissionCards } from './permission-cards.ts';
import { retry } from './retry.ts';
import { splitText } from './split-text.ts';
import type { StatusPace } from './status-message.ts';
import { awaitTurnEnd, type FinishedTurn } from './turn-end.ts';
import { TurnView } from './turn-view.ts';

/** Where an owed answer goes, as stored in the outbox. */
export interface Destination {
  readonly chat: ChatAddress;
  /** The message that is answered. */
  readonly messageId: string;
  readonly buttons?: OutgoingMessage['buttons'];
}

export interface AnswerDeliverySetup {
  readonly gateway: Gateway;
  readonly outbox: Outbox;
  readonly sessions: ChatSessions;
  readonly cards: PermissionCards;
  readonly messageLog: MessageLog;
  readonly log: ChatLog;
  readonly clock: Clock;
  readonly pace: StatusPace;
  readonly backoff?: Backoff | undefined;
  readonly maxRounds: number;
  /** Per chat. */
  readonly maxWaiting: number;
  readonly signal: AbortSignal;
  readonly messengerOf: (name: ChannelName) => Messenger | undefined;
}

interface Answer {
  readonly text: string;
  /** Whether to send it as a reply even in a private chat. */
  readonly isReply: boolean;
  readonly status?: MessageRef | undefined;
}

export class AnswerDelivery {
  readonly #setup: AnswerDeliverySetup;
  readonly #queue: KeyedQueue;

  constructor(setup: AnswerDeliverySetup) {
    this.#setup = setup;
    this.#queue = new KeyedQueue(setup.maxWaiting);
  }

  /** Resolves when the chat's queue has room for the answer, not when it is delivered. */
  async add(owed: OwedAnswer, { isResumed }: { isResumed: boolean }): Promise<void> {
    const { chat } = owed.address as Destination;
    const key = `${chatKey(chat)} ${owed.turn?.sessionId ?? 'no turn'}`;
    await this.#queue.add(key, () => this.#answer(owed, isResumed), this.#setup.signal);
  }

  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /** Never rejects. If the server stops meanwhile, the answer is still owed at the next start. */
  async #answer(owed: OwedAnswer, isResumed: boolean): Promise<void> {
    const { outbox, signal, clock, log } = this.#setup;
    const { chat } = owed.address as Destination;
    const messenger = this.#setup.messengerOf(chat.channel);
    if (!messenger || signal.aborted) return;
    try {
      const answer = await this.#answerOf(owed, messenger, isResumed);
      await this.#deliver(owed, answer, messenger);
      await outbox.settle(owed.key, clock.now());
    } catch (error) {
      if (signal.aborted) return;
      log.write('error', chat, { err: error }, 'failed to deliver an answer');
      const isHopeless = error instanceof ServiceError;
      if (isHopeless) await outbox.settle(owed.key, clock.now()).catch(() => undefined);
    }
  }

  async #answerOf(owed: OwedAnswer, messenger: Messenger, isResumed: boolean): Promise<Answer> {
    const status = owed.status as MessageRef | undefined;
    if (owed.text !== undefined || !owed.turn) return { text: owed.text ?? '', isReply: false, status };
    return this.#follow(owed, owed.turn, messenger, isResumed);
  }

  async #follow(owed: OwedAnswer, turn: OwedTurn, messenger: Messenger, isResumed: boolean): Promise<Answer> {
    const { gateway, sessions, signal } = this.#setup;
    const { chat } = owed.address as Destination;
    const view = new TurnView({ ...this.#setup, key: owed.key, messenger, chat, turn });
    try {
      const onEvent = view.onEvent.bind(view);
      const end = await awaitTurnEnd(gateway, turn, { signal, isResumed, onEvent });
      await sessions.touch(chat, turn.sessionId);
      return {
        text: withRemarks(answerText(end, { isResumed, roundLimit: view.roundLimit }), view.remarks),
        isReply: end.outcome !== 'completed',
        status: (await view.end()) ?? (owed.status as MessageRef | undefined),
      };
    } finally {
      await view.end();
    }
  }

  async #deliver(owed: OwedAnswer, { text, isReply, status }: Answer, messenger: Messenger): Promise<void> {
    const { clock, log, messageLog } = this.#setup;
    const { chat, messageId } = owed.address as Destination;
    if (text === '') return;
    const replyTo = isReply || !chat.isPrivate ? messageId : undefined;
    await this.#sendParts(owed, text, replyTo, messenger);
    const durationMs = clock.now() - owed.owedAt;
    log.write('outbound', chat, { durationMs, length: text.length }, 'sent an answer');
    messageLog.add({
      time: new Date(clock.now()).toISOString(),
      channel: chat.channel,
      conversation: chatKey(chat),
      direction: 'outbound',
      text,
    });
    if (status) await this.#remove(status, chat, messenger);
  }

  /** Continues after the parts that arrived before a crash. */
  async #sendParts(
    { key, address, sentParts, attempt }: OwedAnswer,
    text: string,
    replyTo: string | undefined,
    messenger: Messenger,
  ): Promise<void> {
    const { outbox } = this.#setup;
    const { chat, buttons } = address as Destination;
    const parts = splitText(text, messenger.messageLength);
    for (let index = sentParts; index < parts.length; index += 1) {
      const message: OutgoingMessage = {
        text: parts[index] ?? '',
        ...(index === 0 && replyTo !== undefined && { replyTo }),
        ...(index === parts.length - 1 && buttons && { buttons }),
      };
      await messenger.deliver(chat, message, {
        ...this.#retrying(chat),
        inDoubt: index === sentParts ? attempt : undefined,
        beforeSend: (started) => outbox.advance(key, { text, attempt: started }),
      });
      await outbox.advance(key, { sentParts: index + 1, attempt: undefined });
    }
  }

  /** A status message that cannot be removed does no harm. */
  async #remove(ref: MessageRef, chat: ChatAddress, messenger: Messenger): Promise<void> {
    const { signal, onRetry, backoff } = this.#retrying(chat);
    await retry(() => messenger.remove(chat, ref, signal), signal, onRetry, backoff).catch(
      (error: unknown) => {
        if (!(error instanceof ServiceError)) throw error;
      },
    );
  }

  #retrying(chat: ChatAddress): Delivery {
    const { signal, backoff, log } = this.#setup;
    return {
      signal,
      backoff,
      onRetry: ({ problem, message }, waitMs) =>
        log.write('error', chat, { problem, reason: message, waitMs }, 'failed to send a message; retrying'),
    };
  }
}

/** Sends a text that is not an owed answer, such as one from the message tool. Nothing is stored. */
export async function sendText(
  chat: ChatAddress,
  text: string,
  messenger: Messenger,
  delivery: Delivery,
): Promise<void> {
  for (const part of splitText(text, messenger.messageLength)) {
    await messenger.deliver(chat, { text: part }, delivery);
  }
}

/** The text that a chat gets at the end of a turn. Every outcome has one. */
function answerText(
  end: FinishedTurn,
  { isResumed, roundLimit }: { readonly isResumed: boolean; readonly roundLimit: number | undefined },
): string {
  const text = end.text.trim();
  switch (end.outcome) {
    case 'completed':
      return text === '' ? fallbackText : end.text;
    case 'failed':
      return failureText(end.error?.message);
    case 'interrupted':
      if (roundLimit !== undefined) return withRemarks(text, [roundLimitText(roundLimit)]);
      return isResumed ? cutOffText : withRemarks(text, ['Stopped.']);
    case 'withdrawn':
      return 'This message was withdrawn before I got to it.';
    default:
      return end.outcome satisfies never;
  }
}

const fallbackText = 'Done, but I have nothing to report. Ask me what I did, or rephrase your request.';
const cutOffText =
  'The server stopped while I was working on this, so it may be half done. Send it again if you still need it.';

export function failureText(reason: string | undefined): string {
  const because = reason ? ` ${reason.trim()}` : '';
  return `Sorry, that did not work.${because}`;
}

function roundLimitText(most: number): string {
  return `I stopped after ${most} rounds of tool calls without finishing. Tell me to continue, or ask for something smaller.`;
}

function withRemarks(text: string, remarks: readonly string[]): string {
  return [text, ...new Set(remarks)].filter((part) => part !== '').join('\n\n');
}
