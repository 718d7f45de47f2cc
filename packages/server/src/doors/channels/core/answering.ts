// Works off what is owed: waits for the end of a turn, makes its answer, and brings it to the chat. The turns of a
// chat are answered in order; answers that need no turn do not wait for them.
import type { Clock } from '../../../domain/clock.ts';
import type { Gateway } from '../../../domain/gateway.ts';
import type { Outbox, OwedAnswer, OwedTurn } from '../../../domain/outbox.ts';
import { answerText } from './answer-text.ts';
import {
  ChannelError,
  type ChannelName,
  type ChatAddress,
  conversationKey,
  type MessageRef,
  type Outgoing,
} from './channel.ts';
import type { ChannelLog } from './channel-log.ts';
import type { ChatSessions } from './chat-sessions.ts';
import { deliver, type SendSetup } from './delivery.ts';
import { followTurn } from './follow-turn.ts';
import { Lanes } from './lanes.ts';
import type { Outlet } from './outlet.ts';
import type { PermissionCards } from './permission-cards.ts';
import { persistently, type RetryPauses } from './retry.ts';
import type { StatusPace } from './status-message.ts';
import type { TranscriptLog } from './transcript-log.ts';
import { TurnView } from './turn-view.ts';

/** The address of an owed answer, as it is kept. */
export interface Destination {
  readonly chat: ChatAddress;
  /** The message that is answered. */
  readonly messageId: string;
  readonly buttons?: Outgoing['buttons'];
}

export interface AnsweringSetup {
  readonly gateway: Gateway;
  readonly outbox: Outbox;
  readonly sessions: ChatSessions;
  readonly cards: PermissionCards;
  readonly transcript: TranscriptLog;
  readonly log: ChannelLog;
  readonly clock: Clock;
  readonly pace: StatusPace;
  readonly pauses?: RetryPauses | undefined;
  readonly mostRounds: number;
  readonly mostWaiting: number;
  readonly signal: AbortSignal;
  readonly outletOf: (name: ChannelName) => Outlet | undefined;
}

interface Answer {
  readonly text: string;
  /** Whether the person should see which message it belongs to. */
  readonly isReply: boolean;
  readonly status?: MessageRef | undefined;
}

export class Answering {
  readonly #setup: AnsweringSetup;
  readonly #lanes: Lanes;

  constructor(setup: AnsweringSetup) {
    this.#setup = setup;
    this.#lanes = new Lanes(setup.mostWaiting);
  }

  /** Resolves when there is room for it, not when it is answered. */
  async add(owed: OwedAnswer, { isResumed }: { isResumed: boolean }): Promise<void> {
    const { chat } = owed.address as Destination;
    const lane = `${conversationKey(chat)} ${owed.turn ? 'turns' : 'notes'}`;
    await this.#lanes.add(lane, () => this.#answer(owed, isResumed), this.#setup.signal);
  }

  idle(): Promise<void> {
    return this.#lanes.idle();
  }

  /** Never rejects. What the stop of the server cuts off is still owed at its next start. */
  async #answer(owed: OwedAnswer, isResumed: boolean): Promise<void> {
    const { outbox, signal, clock, log } = this.#setup;
    const { chat } = owed.address as Destination;
    const outlet = this.#setup.outletOf(chat.channel);
    if (!outlet || signal.aborted) return;
    try {
      const answer = await this.#answerOf(owed, outlet, isResumed);
      await this.#bring(owed, answer, outlet);
      await outbox.settle(owed.key, clock.now());
    } catch (error) {
      if (signal.aborted) return;
      log.write('error', chat, { err: error }, 'an answer could not be brought to its chat');
      const isHopeless = error instanceof ChannelError;
      if (isHopeless) await outbox.settle(owed.key, clock.now()).catch(() => undefined);
    }
  }

  async #answerOf(owed: OwedAnswer, outlet: Outlet, isResumed: boolean): Promise<Answer> {
    const status = owed.status as MessageRef | undefined;
    if (owed.text !== undefined || !owed.turn) return { text: owed.text ?? '', isReply: false, status };
    return this.#follow(owed, owed.turn, outlet, isResumed);
  }

  async #follow(owed: OwedAnswer, turn: OwedTurn, outlet: Outlet, isResumed: boolean): Promise<Answer> {
    const { gateway, sessions, signal } = this.#setup;
    const { chat } = owed.address as Destination;
    const view = new TurnView({ ...this.#setup, key: owed.key, outlet, chat, turn });
    try {
      const onEvent = view.onEvent.bind(view);
      const end = await followTurn(gateway, turn, { signal, isResumed, onEvent });
      await sessions.keep(chat, turn.sessionId);
      return {
        text: answerText(end, { isResumed, roundLimit: view.roundLimit }),
        isReply: end.outcome !== 'completed',
        status: (await view.end()) ?? (owed.status as MessageRef | undefined),
      };
    } finally {
      await view.end();
    }
  }

  async #bring(owed: OwedAnswer, { text, isReply, status }: Answer, outlet: Outlet): Promise<void> {
    const { outbox, clock, log, transcript } = this.#setup;
    const { chat, messageId, buttons } = owed.address as Destination;
    if (text === '') return;
    const send = this.#sendSetup(outlet, chat);
    const replyTo = isReply || !chat.isPrivate ? messageId : undefined;
    await deliver({ ...owed, chat, text, replyTo, buttons }, outbox, send);
    const durationMs = clock.now() - owed.owedAt;
    log.write('outbound', chat, { durationMs, length: text.length }, 'an answer was sent');
    transcript.add({
      time: new Date(clock.now()).toISOString(),
      channel: chat.channel,
      conversation: conversationKey(chat),
      direction: 'outbound',
      text,
    });
    if (status) await this.#remove(outlet, chat, status);
  }

  /** What stays because it cannot be removed harms nobody. */
  async #remove(outlet: Outlet, chat: ChatAddress, ref: MessageRef): Promise<void> {
    const { signal } = this.#setup;
    const { onRetry, pauses } = this.#sendSetup(outlet, chat);
    await persistently(() => outlet.remove(chat, ref, signal), signal, onRetry, pauses).catch(
      (error: unknown) => {
        if (!(error instanceof ChannelError)) throw error;
      },
    );
  }

  #sendSetup(outlet: Outlet, chat: ChatAddress): SendSetup {
    const { signal, pauses, log } = this.#setup;
    return {
      outlet,
      signal,
      pauses,
      onRetry: ({ problem, message }, waitMs) =>
        log.write(
          'error',
          chat,
          { problem, reason: message, waitMs },
          'the service did not take a message yet',
        ),
    };
  }
}
