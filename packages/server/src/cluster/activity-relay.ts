// Shares people's activities between all servers, through the database. There are only about as many as prompts and a
// short delay is fine, so the servers don't need connections to each other.
import type { PersonName, SessionId } from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { ActivityNews, ActivityRelay, ActivityStore, WatchingPage } from '../domain/activity.ts';
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
/** How long to collect news that is sent together. */
const sendAfterMs = 50;
const repeatEveryMs = 60_000;
/** A server that says nothing for longer than `watchingLastsMs` counts as dead. */
const repeatWatchingEveryMs = 15_000;
export const watchingLastsMs = 40_000;
/** How many sessions others learn about. Beyond that, they may notify somebody who is looking. */
const maxWatched = 2_000;
/** Beyond that, the oldest are dropped: these are notifications, not a record. */
const maxUnsent = 10_000;
/** How many positions of news are remembered, because some news is read again. */
const maxKnown = 2_000;

export class StoredRelay implements ActivityRelay {
  readonly #parts: StoredRelayParts;
  readonly #listening = new Map<PersonName, number>();
  readonly #known = new BoundedMap<number, true>(maxKnown);
  readonly #watched = new Map<SessionId, readonly WatchingPage[]>();
  readonly #listeners: ((news: ActivityNews) => void)[] = [];
  #unsent: ActivityNews[] = [];
  #position: number | undefined;
  /** What was there before the first recent news is too old. */
  #oldest: number | undefined;
  #cancelRead = () => {};
  #cancelSend: (() => void) | undefined;
  #cancelRepeat = () => {};
  #cancelWatching = () => {};
  #isStopped = false;

  constructor(parts: StoredRelayParts) {
    this.#parts = parts;
  }

  /** Resolves when recent news has been read, so that readers who come from another server can resume. */
  async start(): Promise<void> {
    await this.#read();
    this.#repeatLater();
    this.#repeatWatchingLater();
  }

  /** Sends what is left. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRead();
    this.#cancelRepeat();
    this.#cancelWatching();
    this.#cancelSend?.();
    if (this.#unsent.length > 0) await this.#send();
  }

  onNews(listener: (news: ActivityNews) => void): void {
    this.#listeners.push(listener);
  }

  publish(news: ActivityNews): void {
    this.#unsent = [...this.#unsent.slice(1 - maxUnsent), news];
    this.#cancelSend ??= this.#parts.timers.after(sendAfterMs, () => void this.#send());
  }

  listening(person: PersonName): () => void {
    const count = this.#listening.get(person) ?? 0;
    this.#listening.set(person, count + 1);
    if (count === 0) this.publish({ type: 'listening', person });
    return () => {
      const left = (this.#listening.get(person) ?? 1) - 1;
      if (left > 0) this.#listening.set(person, left);
      else this.#listening.delete(person);
    };
  }

  watching(session: SessionId, pages: readonly WatchingPage[]): void {
    if (pages.length > 0) this.#watched.set(session, pages);
    else if (!this.#watched.delete(session)) return;
    this.#publishWatched([[session, pages]], false);
  }

  #publishWatched(watched: Iterable<readonly [SessionId, readonly WatchingPage[]]>, isAll: boolean): void {
    const sessions = Array.from(watched, ([session, pages]) => ({ session, pages: [...pages] }));
    this.publish({
      type: 'watching',
      server: this.#parts.server,
      sessions: sessions.slice(-maxWatched),
      isAll,
    });
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
        this.#oldest ??= position;
        this.#position = Math.max(this.#position ?? 0, position);
        if (position >= this.#oldest && this.#isNew(position))
          for (const listener of this.#listeners) listener(news);
      }
    } catch (error) {
      logger.warn({ err: error }, 'notifications of the other servers could not be read');
    }
    this.#readLater();
  }

  #isNew(position: number): boolean {
    if (this.#known.has(position)) return false;
    this.#known.set(position, true);
    return true;
  }

  #readLater(): void {
    if (!this.#isStopped) this.#cancelRead = this.#parts.timers.after(readEveryMs, () => void this.#read());
  }

  /** For servers that have started since, and because sending may have failed. */
  #repeatWatchingLater(): void {
    if (this.#isStopped) return;
    this.#cancelWatching = this.#parts.timers.after(repeatWatchingEveryMs, () => {
      if (this.#watched.size > 0) this.#publishWatched(this.#watched, true);
      this.#repeatWatchingLater();
    });
  }

  /** For servers that have started since. */
  #repeatLater(): void {
    if (this.#isStopped) return;
    this.#cancelRepeat = this.#parts.timers.after(repeatEveryMs, () => {
      for (const person of this.#listening.keys()) this.publish({ type: 'listening', person });
      this.#parts.store
        .forgetOld()
        .catch((error: unknown) =>
          this.#parts.logger.warn({ err: error }, 'old notifications could not be removed'),
        );
      this.#repeatLater();
    });
  }
}
