// Numbers the events of one session and hands them to its readers and to the journal. Readers do not wait for the disk,
// except for events that are held back until they are stored.
import type { Envelope, Seq, SessionEvent, SessionId, TurnId } from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { CollectWrites, Store } from '../domain/store.ts';
import type { EventLog } from './event-log.ts';
import type { Journal } from './journal.ts';

export interface PublisherOptions {
  readonly sessionId: SessionId;
  readonly log: EventLog;
  /** Undefined if the engine has its own record. */
  readonly journal: Journal | undefined;
  readonly store: Pick<Store, 'together'>;
  readonly clock: Clock;
  /** Called with each event when readers get it. */
  readonly onPublished: (event: SessionEvent) => void;
}

export class Publisher {
  readonly #options: PublisherOptions;
  #lastSeq: Seq;
  #heldBack: Envelope[] | undefined;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#lastSeq = options.log.lastSeq;
  }

  publish(event: SessionEvent, turnId?: TurnId): void {
    const { sessionId, clock, journal } = this.#options;
    this.#lastSeq += 1;
    const envelope = { seq: this.#lastSeq, sessionId, ...(turnId && { turnId }), at: clock.now(), event };
    journal?.add(envelope);
    if (this.#heldBack) this.#heldBack.push(envelope);
    else this.#append(envelope);
  }

  /** Holds back what is published from now on until the returned function is called. For one commit at most. */
  holdBack(): () => void {
    const held: Envelope[] = [];
    this.#heldBack = held;
    return () => {
      this.#heldBack = undefined;
      for (const envelope of held) this.#append(envelope);
    };
  }

  /** Resolves when everything published so far is stored, in one commit with the writes of `alongside`. */
  async secure(alongside?: CollectWrites): Promise<void> {
    const { journal, store } = this.#options;
    if (journal) await journal.flush(alongside);
    else if (alongside) await store.together(alongside);
  }

  #append(envelope: Envelope): void {
    this.#options.log.append(envelope);
    this.#options.onPublished(envelope.event);
  }
}
