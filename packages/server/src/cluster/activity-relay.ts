// Brings the activities of people to all servers, through the database: there are about as many as prompts, so a short delay
// is fine, and no server has to be connected to every other one.
import type { PersonName } from '@parley/protocol';
import type { ActivityNews, ActivityRelay, ActivityStore } from '../domain/activity.ts';
import type { Logger } from '../domain/logger.ts';
import type { Timers } from '../domain/timers.ts';

export interface StoredRelayParts {
  readonly store: ActivityStore;
  /** The id of this server. */
  readonly server: string;
  readonly timers: Timers;
  readonly logger: Logger;
}

const readEveryMs = 500;
/** How long to collect what is sent together. */
const sendAfterMs = 50;
const repeatEveryMs = 60_000;
/** Beyond that, the oldest are dropped: these are notifications, not a record. */
const mostUnsent = 10_000;
/** News whose positions are remembered, because some are read again. */
const mostKnown = 2_000;

export class StoredRelay implements ActivityRelay {
  readonly #parts: StoredRelayParts;
  readonly #listening = new Map<PersonName, number>();
  readonly #known = new Set<number>();
  #listener: (news: ActivityNews) => void = () => undefined;
  #unsent: ActivityNews[] = [];
  #position: number | undefined;
  #cancelRead = () => {};
  #cancelSend: (() => void) | undefined;
  #cancelRepeat = () => {};
  #isStopped = false;

  constructor(parts: StoredRelayParts) {
    this.#parts = parts;
  }

  /** Knows what happened recently when it resolves, so that readers who come from another server can resume. */
  async start(): Promise<void> {
    await this.#read();
    this.#repeatLater();
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRead();
    this.#cancelRepeat();
    this.#cancelSend?.();
    if (this.#unsent.length > 0) await this.#send();
  }

  onNews(listener: (news: ActivityNews) => void): void {
    this.#listener = listener;
  }

  tell(news: ActivityNews): void {
    this.#unsent = [...this.#unsent.slice(1 - mostUnsent), news];
    this.#cancelSend ??= this.#parts.timers.after(sendAfterMs, () => void this.#send());
  }

  listening(person: PersonName): () => void {
    const count = this.#listening.get(person) ?? 0;
    this.#listening.set(person, count + 1);
    if (count === 0) this.tell({ type: 'listening', person });
    return () => {
      const left = (this.#listening.get(person) ?? 1) - 1;
      if (left > 0) this.#listening.set(person, left);
      else this.#listening.delete(person);
    };
  }

  async #send(): Promise<void> {
    const { store, server, logger } = this.#parts;
    this.#cancelSend = undefined;
    const news = this.#unsent.splice(0);
    try {
      await store.add(server, news);
    } catch (error) {
      logger.warn({ err: error }, 'notifications could not be passed on to the other servers');
    }
  }

  async #read(): Promise<void> {
    const { store, server, logger } = this.#parts;
    try {
      for (const { position, news } of await store.after(server, this.#position)) {
        this.#position = Math.max(this.#position ?? 0, position);
        if (this.#isNew(position)) this.#listener(news);
      }
      // From the first successful read on, only what is new counts.
      this.#position ??= 0;
    } catch (error) {
      logger.warn({ err: error }, 'notifications of the other servers could not be read');
    }
    this.#readLater();
  }

  #isNew(position: number): boolean {
    if (this.#known.has(position)) return false;
    this.#known.add(position);
    const [oldest] = this.#known;
    if (this.#known.size > mostKnown && oldest !== undefined) this.#known.delete(oldest);
    return true;
  }

  #readLater(): void {
    if (!this.#isStopped) this.#cancelRead = this.#parts.timers.after(readEveryMs, () => void this.#read());
  }

  /** For servers that have started since. */
  #repeatLater(): void {
    if (this.#isStopped) return;
    this.#cancelRepeat = this.#parts.timers.after(repeatEveryMs, () => {
      for (const person of this.#listening.keys()) this.tell({ type: 'listening', person });
      this.#parts.store
        .forgetOld()
        .catch((error: unknown) => this.#parts.logger.warn({ err: error }, 'old notifications remain'));
      this.#repeatLater();
    });
  }
}
