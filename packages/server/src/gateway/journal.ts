// Writes events to the store in batches, behind the stream. Readers never wait for the disk; await `flush` to wait until
// events are safe.
import type { Envelope } from '@parley/protocol';
import type { Logger } from '../domain/logger.ts';
import type { CollectWrites, Store } from '../domain/store.ts';

/** An event waits no longer than this for its write. */
const flushEveryMs = 100;
/** A turn pauses when this many events wait, so that a slow disk slows the turn instead of filling the memory. */
const mostPending = 512;

export class Journal {
  readonly #store: Pick<Store, 'appendEvents' | 'together'>;
  readonly #logger: Logger;
  #pending: Envelope[] = [];
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(store: Pick<Store, 'appendEvents' | 'together'>, logger: Logger) {
    this.#store = store;
    this.#logger = logger;
  }

  get isFull(): boolean {
    return this.#pending.length >= mostPending;
  }

  add(envelope: Envelope): void {
    this.#pending.push(envelope);
    this.#timer ??= setTimeout(() => {
      this.flush().catch((error: unknown) =>
        this.#logger.error({ err: error }, 'events could not be stored'),
      );
    }, flushEveryMs).unref();
  }

  /**
   * Resolves once everything added so far is stored; rejects when the store refuses it. The writes of `alongside` are
   * committed together with the events.
   */
  flush(alongside?: CollectWrites): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writing = this.#writing.catch(() => undefined).then(() => this.#write(alongside));
    return this.#writing;
  }

  async #write(alongside: CollectWrites | undefined): Promise<void> {
    const batch = this.#pending;
    this.#pending = [];
    try {
      if (alongside) {
        await this.#store.together((unit) => {
          unit.appendEvents(batch);
          alongside(unit);
        });
      } else if (batch.length > 0) await this.#store.appendEvents(batch);
    } catch (error) {
      // Tried again with the next flush. A full journal stops its turns, which bounds what waits here.
      this.#pending = [...batch, ...this.#pending];
      throw error;
    }
  }
}
