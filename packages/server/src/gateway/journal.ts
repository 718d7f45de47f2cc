// Writes events to the store in batches, behind the stream. Readers never wait for the disk; await `flush` to wait until
// events are safe.
import { type Envelope, ParleyError } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';
import type { CollectWrites, Store } from '../domain/store.ts';
import { weight } from './event-log.ts';

/** An event waits no longer than this for its write. */
const flushEveryMs = 100;
/** A turn pauses when this many events wait, so that a slow disk slows the turn instead of filling the memory. */
const mostPending = 512;
/** After a write that failed. */
const retryMs = 2_000;
const mostPendingBytes = 16 * 1024 * 1024;

export class Journal {
  readonly #store: Pick<Store, 'appendEvents' | 'together'>;
  readonly #logger: Logger;
  #pending: Envelope[] = [];
  #pendingBytes = 0;
  /** Writes that the store refused, oldest first. */
  #kept: CollectWrites[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<Store, 'appendEvents' | 'together'>, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  get isFull(): boolean {
    return this.#pending.length >= mostPending || this.#pendingBytes >= mostPendingBytes;
  }

  add(envelope: Envelope): void {
    this.#pending.push(envelope);
    this.#pendingBytes += weight(envelope);
    this.#flushAfter(flushEveryMs);
  }

  /** Removes events that are not stored yet. */
  remove(envelopes: readonly Envelope[]): void {
    const removed = new Set(envelopes);
    this.#pending = this.#pending.filter((envelope) => !removed.has(envelope));
    this.#pendingBytes = this.#pending.reduce((sum, envelope) => sum + weight(envelope), 0);
  }

  /**
   * Resolves once everything added so far is stored; rejects when the store refuses it. The writes of `alongside` are
   * committed together with the events.
   */
  flush(alongside?: CollectWrites): Promise<void> {
    return this.#next(() => this.#write(alongside));
  }

  /**
   * Like `flush`, but resolves to false when the database cannot be used, for example because the disk is full. The writes
   * are kept and tried again until they are stored or the server stops. `onRefused` is called before anything else is
   * written.
   */
  keep(writes: CollectWrites, onRefused?: () => void): Promise<boolean> {
    return this.#next(async () => {
      try {
        await this.#write(writes);
        return true;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        this.#kept.push(writes);
        this.#logger.error({ err: error }, 'something could not be stored; it is tried again until it is');
        onRefused?.();
        return false;
      }
    });
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const result = this.#writing.then(work);
    this.#writing = result.then(
      () => undefined,
      () => undefined,
    );
    return result;
  }

  async #write(alongside: CollectWrites | undefined): Promise<void> {
    const batch = this.#pending;
    const bytes = this.#pendingBytes;
    const kept = this.#kept;
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#kept = [];
    const writes = alongside ? [...kept, alongside] : kept;
    try {
      if (writes.length > 0) {
        await this.#store.together((unit) => {
          unit.appendEvents(batch);
          for (const write of writes) write(unit);
        });
      } else if (batch.length > 0) await this.#store.appendEvents(batch);
      if (kept.length > 0) this.#logger.info({}, 'everything that could not be stored is stored now');
    } catch (error) {
      // Tried again with the next flush. A full journal stops its turns, which bounds what waits here.
      this.#pending = [...batch, ...this.#pending];
      this.#pendingBytes += bytes;
      this.#kept = isUnavailable(error) ? kept : await this.#keepOneByOne(kept);
      this.#flushAfter(retryMs);
      throw error;
    }
  }

  /** One of them can never be written, for example because its session has been deleted; it must not stop the others. */
  async #keepOneByOne(kept: readonly CollectWrites[]): Promise<CollectWrites[]> {
    const left: CollectWrites[] = [];
    for (const write of kept) {
      await this.#store.together(write).catch((error: unknown) => {
        if (isUnavailable(error)) left.push(write);
        else this.#logger.error({ err: error }, 'something can no longer be stored');
      });
    }
    return left;
  }

  #flushAfter(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) =>
        this.#logger.error({ err: error }, 'events could not be stored'),
      );
    }, ms).unref();
  }
}

/** The database cannot be used at the moment, for example because the disk is full. */
export function isUnavailable(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'unavailable';
}
