// One conversation that is open in this tab: its state, kept in step with the server, and what one can do in it.
import type { Envelope, Session } from '@parley/protocol';
import { followStream } from '../../api/event-stream.ts';
import { ApiError, get } from '../../api/http.ts';
import { type Conversation, emptyConversation } from '../model/conversation.ts';
import { foldConversation } from '../model/fold-conversation.ts';
import { openingOf, type SessionDetail, withoutEvents } from '../model/opening.ts';
import { FrameBatches } from './frame-batches.ts';
import { Outbox, type SentMessage } from './outbox.ts';

export interface ConversationSnapshot {
  readonly status: 'opening' | 'open' | 'failed';
  readonly error: unknown;
  readonly session: Session | undefined;
  readonly conversation: Conversation;
  /** Sent from this tab, and not yet part of the conversation. */
  readonly sent: readonly SentMessage[];
  /** False while the connection is broken. */
  readonly isConnected: boolean;
  /** Events up to this number had happened before the conversation was opened here. */
  readonly openedAt: number;
}

/** Events that are drawn in one frame: several times what the fastest model writes in one. */
const livePortion = 50;

export class ConversationStore {
  readonly id: string;
  readonly outbox: Outbox;
  /** The number of the event whose recipe was opened last. */
  openedRecipe = 0;
  #snapshot: ConversationSnapshot;
  readonly #listeners = new Set<() => void>();
  readonly #batches = new FrameBatches<Envelope>(
    (envelopes) => this.#fold(envelopes),
    // What has happened already is there at once; what happens is drawn as it comes.
    () =>
      this.#snapshot.conversation.seq < this.#snapshot.openedAt ? Number.POSITIVE_INFINITY : livePortion,
  );
  #following: AbortController | undefined;
  #users = 0;

  /** A session that was begun just now has nothing to be fetched. */
  constructor(id: string, begun?: Session) {
    this.id = id;
    this.outbox = new Outbox(id, (sent) => this.#change({ sent }));
    this.#snapshot = {
      status: begun ? 'open' : 'opening',
      error: undefined,
      session: begun,
      conversation: emptyConversation,
      sent: [],
      isConnected: true,
      openedAt: 0,
    };
  }

  readonly snapshot = (): ConversationSnapshot => this.#snapshot;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Stays in step until the last user has left. */
  use(): () => void {
    this.#users += 1;
    if (this.#users === 1) void this.#run();
    return () => {
      this.#users -= 1;
      if (this.#users > 0) return;
      this.#following?.abort();
      this.#batches.clear();
    };
  }

  /** After a failure. */
  reopen(): void {
    this.#following?.abort();
    this.#change({ status: 'opening', error: undefined });
    void this.#run();
  }

  /** Its title or its model. */
  changed(session: Session): void {
    this.#change({ session });
  }

  async #run(): Promise<void> {
    const following = new AbortController();
    this.#following = following;
    const { signal } = following;
    try {
      let wanted: 'events' | 'history' = 'events';
      while (!signal.aborted) {
        if (this.#snapshot.status === 'opening') await this.#open(wanted, signal);
        // The server forgot events that are wanted: begin again, with what it did keep.
        if ((await this.#follow(signal)) === 'forgotten') {
          wanted = 'history';
          this.#change({ status: 'opening' });
        }
      }
    } catch (error) {
      if (!signal.aborted) this.#change({ status: 'failed', error });
    }
  }

  async #open(wanted: 'events' | 'history', signal: AbortSignal): Promise<void> {
    const detail = await get<SessionDetail>(`/api/sessions/${this.id}`, signal);
    const conversation = wanted === 'events' ? openingOf(detail) : withoutEvents(detail);
    this.#change({ status: 'open', session: detail.session, conversation, openedAt: detail.lastSeq });
    this.outbox.settle(conversation);
  }

  async #follow(outer: AbortSignal): Promise<'forgotten' | 'left'> {
    const stop = new AbortController();
    const signal = AbortSignal.any([outer, stop.signal]);
    let end: 'forgotten' | 'left' = 'left';
    await followStream(`/api/sessions/${this.id}/events`, {
      signal,
      after: String(this.#snapshot.conversation.seq),
      onConnection: (isConnected) => {
        this.#change({ isConnected });
        if (isConnected) this.outbox.retryUnreached();
      },
      onEvent: ({ name, data }) => {
        if (name === 'message') return this.#batches.add(JSON.parse(data) as Envelope);
        const { recoverable } = JSON.parse(data) as { recoverable: boolean };
        if (recoverable) return;
        end = 'forgotten';
        stop.abort();
      },
    });
    return end;
  }

  #fold(envelopes: readonly Envelope[]): void {
    const conversation = envelopes.reduce(foldConversation, this.#snapshot.conversation);
    this.#change({ conversation });
    this.outbox.settle(conversation);
  }

  #change(change: Partial<ConversationSnapshot>): void {
    this.#snapshot = { ...this.#snapshot, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Whether the conversation is not there (any more), or not this person's. */
export function isGone(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
