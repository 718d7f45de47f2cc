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
 * How many pieces of a turn's text are stored. Later ones stay in memory: they only help readers that keep up, and all
 * others get the whole messages.
 */
const maxPieces = 100_000;
const maxCharacters = 4 * 1024 * 1024;
/** Every n-th of the remaining pieces is stored without its text, so that numbers don't repeat after a crash. */
const markEvery = 1_000;
/** Together with the numbers between two marks, less than the leap of a recovery, so that no number is used twice. */
const maxUnsecured = 1_000;

interface HeldBack {
  /** What is held back and was not taken before. The caller stores it. */
  take(): readonly Envelope[];
  /** Sends everything to readers, and what was not taken also to the journal. */
  release(): void;
  /** Puts an event before what was held back and could not be stored, and hands all of it to the journal. */
  precede(event: SessionEvent, turnId: TurnId): void;
}

export class Publisher {
  readonly #options: PublisherOptions;
  #lastSeq: Seq;
  #heldBack: Envelope[] | undefined;
  #pieces = 0;
  #characters = 0;
  /** The last number that was handed to the journal, and the last one that is known to be stored. */
  #journaled: Seq;
  #secured: Seq;

  constructor(options: PublisherOptions) {
    this.#options = options;
    this.#lastSeq = options.log.lastSeq;
    [this.#journaled, this.#secured] = [this.#lastSeq, this.#lastSeq];
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
    if (this.#heldBack) {
      this.#heldBack.push(envelope);
      return;
    }
    this.#store(envelope);
    this.#append(envelope);
  }

  /** Holds back what is published from now on, from readers and from the journal. For one commit at most. */
  holdBack(): HeldBack {
    let held: Envelope[] = [];
    let taken = 0;
    this.#heldBack = held;
    const take = () => {
      const untaken = held.slice(taken);
      taken = held.length;
      if (!this.#options.journal) return [];
      this.#journaled = untaken.at(-1)?.seq ?? this.#journaled;
      return untaken;
    };
    const storeRest = () => {
      for (const envelope of held.slice(taken)) this.#store(envelope);
      taken = held.length;
    };
    return {
      take,
      release: () => {
        storeRest();
        this.#heldBack = undefined;
        for (const envelope of held) this.#append(envelope);
      },
      precede: (event, turnId) => {
        const later = held;
        this.#lastSeq -= later.length;
        [held, taken] = [[], 0];
        this.#heldBack = held;
        this.publish(event, turnId);
        for (const envelope of later) this.publish(envelope.event, envelope.turnId);
        storeRest();
      },
    };
  }

  /** Resolves when everything published so far is stored. */
  async secure(): Promise<void> {
    const journaled = this.#journaled;
    await this.#options.journal?.flush();
    this.#secured = Math.max(this.#secured, journaled);
  }

  /** Resolves when there is room for more events, so that a slow disk slows the turn down. */
  room(): Promise<void> | undefined {
    const isAhead = this.#journaled - this.#secured >= maxUnsecured;
    return isAhead || this.#options.journal?.isFull ? this.secure() : undefined;
  }

  #store(envelope: Envelope): void {
    const { event } = envelope;
    if (event.type === 'turn.started') [this.#pieces, this.#characters] = [0, 0];
    if (event.type !== 'text.delta' && event.type !== 'thinking.delta') return this.#journal(envelope);
    this.#pieces += 1;
    this.#characters += event.text.length;
    if (this.#pieces <= maxPieces && this.#characters <= maxCharacters) return this.#journal(envelope);
    if (this.#pieces % markEvery === 0) this.#journal({ ...envelope, event: { ...event, text: '' } });
  }

  #journal(envelope: Envelope): void {
    if (!this.#options.journal) return;
    this.#journaled = envelope.seq;
    this.#options.journal.add(envelope);
  }

  #append(envelope: Envelope): void {
    this.#options.log.append(envelope);
    this.#options.onPublished(envelope.event);
  }
}
