// Numbers the events of one session and hands them to its readers and to the journal. Readers do not wait for the disk,
// except for events that are held back until they are stored.
import type { Envelope, Seq, SessionEvent, SessionId, TurnId } from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { EventLog } from './event-log.ts';
import type { SessionJournal } from './journal.ts';
import { lightEvent } from './light-event.ts';

export interface PublisherOptions {
  readonly sessionId: SessionId;
  readonly log: EventLog;
  /** Undefined if the engine has its own record. */
  readonly journal: SessionJournal | undefined;
  readonly clock: Clock;
  /** Called with each event when readers get it. */
  readonly onPublished: (event: SessionEvent) => void;
}

/**
 * How much of the pieces of a turn's text is stored. Later pieces stay in memory: they only help readers that keep up, and
 * all others get the whole messages.
 */
const mostPieces = 100_000;
const mostLetters = 4 * 1024 * 1024;
/** Every n-th of the remaining pieces is stored without its text, so that numbers don't repeat after a crash. */
const markEvery = 1_000;
/**
 * A turn pauses when readers are this far ahead of the store. More than `markEvery`, and less than the leap of recovery, with
 * room for what others publish in the session meanwhile.
 */
const mostAhead = 1_536;

interface HeldBack {
  /** Sends it to readers. */
  release(): void;
  /** Puts an event before what is held back and not stored yet. */
  precede(event: SessionEvent, turnId: TurnId): void;
}

export class Publisher {
  readonly #options: PublisherOptions;
  /** The last number when this began. */
  readonly #firstSeq: Seq;
  #lastSeq: Seq;
  #heldBack: Envelope[] | undefined;
  #pieces = 0;
  #letters = 0;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#firstSeq = options.log.lastSeq;
    this.#lastSeq = this.#firstSeq;
  }

  /** Does nothing after the end of the log. */
  publish(event: SessionEvent, turnId?: TurnId): void {
    const { sessionId, clock, log } = this.#options;
    if (log.ended) return;
    this.#lastSeq += 1;
    const envelope = {
      seq: this.#lastSeq,
      sessionId,
      ...(turnId && { turnId }),
      at: clock.now(),
      event: lightEvent(event),
    };
    this.#store(envelope);
    if (this.#heldBack) this.#heldBack.push(envelope);
    else this.#append(envelope);
  }

  /** Holds back what is published from now on. For one commit at most. */
  holdBack(): HeldBack {
    let held: Envelope[] = [];
    this.#heldBack = held;
    return {
      release: () => {
        this.#heldBack = undefined;
        for (const envelope of held) this.#append(envelope);
      },
      precede: (event, turnId) => {
        const later = held;
        this.#options.journal?.remove(later);
        this.#lastSeq -= later.length;
        held = [];
        this.#heldBack = held;
        this.publish(event, turnId);
        for (const envelope of later) this.publish(envelope.event, envelope.turnId);
      },
    };
  }

  /** Whether readers have seen so many numbers beyond the stored ones that a crash could repeat one. */
  get isAhead(): boolean {
    const { journal } = this.#options;
    return journal !== undefined && this.#lastSeq - Math.max(this.#firstSeq, journal.stored) > mostAhead;
  }

  /** Resolves when everything published so far is stored. */
  async secure(): Promise<void> {
    await this.#options.journal?.flush();
  }

  #store(envelope: Envelope): void {
    const { journal } = this.#options;
    const { event } = envelope;
    if (event.type === 'turn.started') [this.#pieces, this.#letters] = [0, 0];
    if (event.type !== 'text.delta' && event.type !== 'thinking.delta') return journal?.add(envelope);
    this.#pieces += 1;
    this.#letters += event.text.length;
    if (this.#pieces <= mostPieces && this.#letters <= mostLetters) return journal?.add(envelope);
    if (this.#pieces % markEvery === 0) journal?.add({ ...envelope, event: { ...event, text: '' } });
    return undefined;
  }

  #append(envelope: Envelope): void {
    this.#options.log.append(envelope);
    this.#options.onPublished(envelope.event);
  }
}
