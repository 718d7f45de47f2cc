// Writes events to the store in batches, behind the stream. Readers never wait for the disk; await `flush` to wait until
// events are safe. One batch has events of many sessions, each under the tenure of its owner: what belongs to a session
// that has moved to another server is dropped, and the rest is written. Turns that want to store something at the same
// time share a commit.
import { type Envelope, ParleyError } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';
import { hasMoved, movedAway, type Ownership, type Tenure } from '../domain/ownership.ts';
import type { CollectWrites } from '../domain/store.ts';
import type { Timers } from '../domain/timers.ts';
import { weight } from './event-log.ts';

/** An event waits no longer than this for its write. */
const flushEveryMs = 100;
/** A turn pauses when this many events wait, so that a slow disk slows the turn instead of filling the memory. */
const maxPending = 512;
/** How long to wait after a failed write. */
const retryMs = 2_000;
const maxPendingBytes = 16 * 1024 * 1024;
/** How many turns share a commit: enough to make it cheap, few enough not to block the server. */
const maxTogether = 16;

/** The journal for one session and its owner. Every call rejects with `moved` once the tenure is over. */
export interface SessionJournal {
  readonly isFull: boolean;
  add(envelope: Envelope): void;
  /** Resolves once everything added so far is stored; rejects when the store refuses it. */
  flush(): Promise<void>;
  /**
   * Like `flush`, and commits the writes together with the events. Resolves to false when the database cannot be used, for
   * example because the disk is full. The writes are kept and tried again until they are stored or the server stops.
   */
  keep(writes: CollectWrites, together?: KeptTogether): Promise<boolean>;
}

/** Events that must not be stored without the writes, nor the writes without them. */
export interface KeptTogether {
  /** The events, each once. */
  readonly take: () => readonly Envelope[];
  /** The writes are kept for later, but not the events. Called before anything else is written. */
  readonly onRefused: () => void;
}

interface PendingEvent {
  readonly tenure: Tenure;
  readonly envelope: Envelope;
}

interface PendingWrites {
  readonly tenure: Tenure;
  readonly collect: CollectWrites;
}

/** What a call of `keep` wants to store. */
interface Request extends PendingWrites {
  readonly together: KeptTogether | undefined;
  /** The events that were taken for it. */
  readonly taken: PendingEvent[];
  readonly resolve: (isStored: boolean) => void;
  readonly reject: (error: unknown) => void;
}

export class Journal {
  readonly #ownership: Pick<Ownership, 'under'>;
  readonly #logger: Logger;
  readonly #timers: Timers;
  #pending: PendingEvent[] = [];
  #pendingBytes = 0;
  /** They share the next commit. */
  #requests: Request[] = [];
  /** Writes that the store refused, oldest first. */
  #kept: PendingWrites[] = [];
  #writing: Promise<void> = Promise.resolve();
  #cancelFlush: (() => void) | undefined;

  constructor(ownership: Pick<Ownership, 'under'>, logger: Logger, timers: Timers) {
    this.#ownership = ownership;
    this.#logger = logger;
    this.#timers = timers;
  }

  of(tenure: Tenure): SessionJournal {
    const isFull = () => this.#pending.length >= maxPending || this.#pendingBytes >= maxPendingBytes;
    return {
      get isFull() {
        return isFull();
      },
      add: (envelope) => this.#add({ tenure, envelope }),
      flush: async () => {
        await this.flush();
        if (tenure.isOver) throw movedAway();
      },
      keep: (collect, together) => this.#keep({ tenure, collect }, together),
    };
  }

  /** Resolves once everything added so far is stored, except for sessions that have moved. */
  flush(): Promise<void> {
    return this.#next(() => this.#write());
  }

  #add(event: PendingEvent): void {
    if (event.tenure.isOver) return;
    this.#addPending(event);
    this.#flushAfter(flushEveryMs);
  }

  #addPending(event: PendingEvent): void {
    this.#pending.push(event);
    this.#pendingBytes += weight(event.envelope);
  }

  #setPending(pending: PendingEvent[]): void {
    this.#pending = pending;
    this.#pendingBytes = pending.reduce((sum, { envelope }) => sum + weight(envelope), 0);
  }

  #keep(writes: PendingWrites, together: KeptTogether | undefined): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#requests.push({ ...writes, together, taken: [], resolve, reject });
      if (this.#requests.length === 1) this.#keepNext();
    });
  }

  #keepNext(): void {
    void this.#next(async () => {
      const group = this.#requests.splice(0, maxTogether);
      if (this.#requests.length > 0) this.#keepNext();
      await this.#keepTogether(group);
    });
  }

  /** Settles the requests and never rejects. */
  async #keepTogether(group: readonly Request[]): Promise<void> {
    try {
      await this.#write(group);
      for (const { resolve } of group) resolve(true);
    } catch (error) {
      // If one of them can never be stored, it must not stop the others.
      if (group.length > 1 && !isUnavailable(error))
        for (const request of group) await this.#keepTogether([request]);
      else for (const request of group) this.#refuse(request, error);
    }
  }

  #refuse(request: Request, error: unknown): void {
    if (!isUnavailable(error)) {
      for (const event of request.taken) this.#addPending(event);
      request.reject(error);
      return;
    }
    this.#kept.push(request);
    this.#logger.error({ err: error }, 'something could not be stored; trying again until it works');
    request.together?.onRefused();
    request.resolve(false);
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    this.#cancelFlush?.();
    this.#cancelFlush = undefined;
    const result = this.#writing.then(work);
    this.#writing = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  async #write(requests: readonly Request[] = []): Promise<void> {
    this.#dropMoved();
    if (requests.some(({ tenure }) => tenure.isOver)) throw movedAway();
    for (const request of requests) takeEvents(request);
    const pending = this.#pending;
    const bytes = this.#pendingBytes;
    const kept = this.#kept;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#kept = [];
    const batch = [...pending, ...requests.flatMap(({ taken }) => taken)];
    const writes = [...kept, ...requests];
    try {
      await this.#commit(batch, writes);
      if (kept.length > 0) this.#logger.info({}, 'everything that could not be stored is stored now');
    } catch (error) {
      // Tried again with the next flush. A full journal stops its turns, which bounds what waits here.
      this.#pending = [...pending, ...this.#pending];
      this.#pendingBytes += bytes;
      this.#kept = kept;
      const isBlocked = [...batch, ...writes].some(({ tenure }) => tenure.isOver);
      if (hasMoved(error) && isBlocked) return this.#write(requests);
      if (!isUnavailable(error)) this.#kept = await this.#keepOneByOne(kept);
      this.#flushAfter(retryMs);
      throw error;
    }
  }

  async #commit(batch: readonly PendingEvent[], writes: readonly PendingWrites[]): Promise<void> {
    const tenures = new Set([...batch, ...writes].map(({ tenure }) => tenure));
    if (tenures.size === 0) return;
    const store = this.#ownership.under([...tenures]);
    const envelopes = batch.map(({ envelope }) => envelope);
    if (writes.length === 0) return store.appendEvents(envelopes);
    await store.together((unit) => {
      unit.appendEvents(envelopes);
      for (const { collect } of writes) collect(unit);
    });
  }

  #dropMoved(): void {
    const isOurs = ({ tenure }: { readonly tenure: Tenure }) => !tenure.isOver;
    if (!this.#pending.every(isOurs)) this.#setPending(this.#pending.filter(isOurs));
    this.#kept = this.#kept.filter(isOurs);
  }

  /** One of them can never be written, for example because its session has been deleted; it must not stop the others. */
  async #keepOneByOne(kept: readonly PendingWrites[]): Promise<PendingWrites[]> {
    const left: PendingWrites[] = [];
    for (const writes of kept) {
      await this.#commit([], [writes]).catch((error: unknown) => {
        if (isUnavailable(error)) left.push(writes);
        else this.#logger.error({ err: error }, 'something can no longer be stored');
      });
    }
    return left;
  }

  #flushAfter(ms: number): void {
    this.#cancelFlush ??= this.#timers.after(ms, () => {
      this.flush().catch((error: unknown) =>
        this.#logger.error({ err: error }, 'events could not be stored'),
      );
    });
  }
}

function takeEvents({ tenure, together, taken }: Request): void {
  for (const envelope of together?.take() ?? []) taken.push({ tenure, envelope });
}

/** The database cannot be used at the moment, for example because the disk is full. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'unavailable';
}
