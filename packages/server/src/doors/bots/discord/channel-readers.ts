// Reads the Discord channels in which people write to the bot. Messages come through the gateway. Those that it misses,
// because the server was down or a message could not be processed, are fetched over REST. The position in each channel
// is stored.
import type { APIMessage } from 'discord-api-types/v10';
import { pause } from '../../../basics/backoff.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { Logger } from '../../../domain/logger.ts';
import { type ChannelName, ServiceError } from '../core/bot.ts';
import { retryPauseMs } from '../core/retry.ts';
import { justBefore, later, timeOf } from './snowflakes.ts';

export interface ChannelReadersSetup {
  /** The name of the bot. */
  readonly name: ChannelName;
  /** The stored marks, by counter: the time of the last message that was processed. */
  readonly known: ReadonlyMap<string, number>;
  readonly saveMark: (counter: string, highest: number) => Promise<void>;
  /** The next messages after an id, oldest first, at most 100. Rejects with a ServiceError. */
  readonly fetchAfter: (channelId: string, after: string) => Promise<readonly APIMessage[]>;
  /** Rejects when the message must be delivered again. */
  readonly handle: (message: APIMessage, isPrivate: boolean) => Promise<void>;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly logger: Logger;
}

/** Messages that are older than this when the server comes back are not answered. */
const longestAbsenceMs = 24 * 60 * 60 * 1_000;

export class ChannelReaders {
  readonly #setup: ChannelReadersSetup;
  readonly #readers = new Map<string, ChannelReader>();

  constructor(setup: ChannelReadersSetup) {
    this.#setup = setup;
    const earliest = justBefore(setup.clock.now() - longestAbsenceMs);
    for (const [counter, time] of setup.known) {
      const key = readCounter(counter);
      if (key) this.#readers.set(key.channelId, this.#open(key, later(earliest, justBefore(time)), true));
    }
  }

  isKnown(channelId: string): boolean {
    return this.#readers.has(channelId);
  }

  /** Adds a message from the gateway. Its channel is known from now on. */
  add(message: APIMessage, isPrivate: boolean): void {
    const { channel_id: channelId } = message;
    const known = this.#readers.get(channelId);
    const reader = known ?? this.#open({ channelId, isPrivate }, justBefore(timeOf(message.id)), false);
    if (!known) this.#readers.set(channelId, reader);
    reader.add(message);
  }

  /** Fetches what was missed while the gateway had no session. */
  catchUp(): void {
    for (const reader of this.#readers.values()) reader.catchUp();
  }

  async idle(): Promise<void> {
    await Promise.all([...this.#readers.values()].map((reader) => reader.idle()));
  }

  #open({ channelId, isPrivate }: ChannelKey, cursor: string, isSaved: boolean): ChannelReader {
    const { name, saveMark, fetchAfter, handle, signal, logger } = this.#setup;
    const counter = isPrivate ? `dm:${channelId}` : `guild:${channelId}`;
    return new ChannelReader({
      cursor,
      isSaved,
      save: (time) => saveMark(counter, time),
      fetchAfter: (after) => fetchAfter(channelId, after),
      handle: (message) => handle(message, isPrivate),
      onError: (error, waitMs) =>
        logger.warn(
          { event: 'error', conversation: `${name}:${channelId}`, err: error, waitMs },
          'failed to process messages; retrying',
        ),
      signal,
    });
  }
}

interface ChannelKey {
  readonly channelId: string;
  readonly isPrivate: boolean;
}

/** REST does not say whether a message was direct, so the counter's name does. A channel has one of these two. */
export function readCounters(channelId: string): readonly string[] {
  return [`dm:${channelId}`, `guild:${channelId}`];
}

function readCounter(counter: string): ChannelKey | undefined {
  const [, kind, channelId] = /^(dm|guild):(\d+)$/.exec(counter) ?? [];
  return channelId === undefined ? undefined : { channelId, isPrivate: kind === 'dm' };
}

interface ChannelReaderSetup {
  /** Messages after this id are not processed yet. */
  readonly cursor: string;
  /** Whether the cursor survives a crash. */
  readonly isSaved: boolean;
  readonly save: (time: number) => Promise<void>;
  readonly fetchAfter: (after: string) => Promise<readonly APIMessage[]>;
  readonly handle: (message: APIMessage) => Promise<void>;
  readonly onError: (error: unknown, waitMs: number) => void;
  readonly signal: AbortSignal;
}

const maxWaiting = 100;

/**
 * Processes the messages of one channel one after the other. When one fails or too many wait, it drops those in memory
 * and fetches them again from its cursor, so nothing is lost and memory stays bounded.
 */
class ChannelReader {
  readonly #setup: ChannelReaderSetup;
  readonly #waiting: APIMessage[] = [];
  #cursor: string;
  #isSaved: boolean;
  /** New messages are dropped, because they will be fetched. */
  #isBehind = false;
  /** A message arrived since the last fetch started. */
  #hasMore = false;
  #working: Promise<void> | undefined;

  constructor(setup: ChannelReaderSetup) {
    this.#setup = setup;
    this.#cursor = setup.cursor;
    this.#isSaved = setup.isSaved;
  }

  add(message: APIMessage): void {
    if (!this.#isBehind && this.#waiting.length < maxWaiting) this.#waiting.push(message);
    else this.#fallBehind();
    this.#start();
  }

  catchUp(): void {
    this.#fallBehind();
    this.#start();
  }

  idle(): Promise<void> {
    return this.#working ?? Promise.resolve();
  }

  #fallBehind(): void {
    this.#isBehind = true;
    this.#hasMore = true;
    this.#waiting.length = 0;
  }

  #start(): void {
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#hasWork()) this.#start();
    });
  }

  #hasWork(): boolean {
    return !this.#setup.signal.aborted && (this.#isBehind || this.#waiting.length > 0);
  }

  /** Never rejects. */
  async #work(): Promise<void> {
    const { signal, onError } = this.#setup;
    for (let failures = 0; this.#hasWork(); ) {
      try {
        await this.#processNext();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (isGone(error)) {
          this.#isBehind = false;
          continue;
        }
        this.#fallBehind();
        failures += 1;
        const waitMs = retryPauseMs(error, failures);
        onError(error, waitMs);
        await pause(waitMs, signal);
      }
    }
  }

  async #processNext(): Promise<void> {
    if (!this.#isSaved) {
      await this.#setup.save(timeOf(this.#cursor));
      this.#isSaved = true;
    }
    if (this.#isBehind) return this.#fetch();
    const message = this.#waiting.shift();
    if (message) await this.#process(message);
  }

  async #fetch(): Promise<void> {
    this.#hasMore = false;
    const messages = await this.#setup.fetchAfter(this.#cursor);
    for (const message of messages) await this.#process(message);
    // A message that arrived during the fetch may be missing from the page.
    if (messages.length === 0 && !this.#hasMore) this.#isBehind = false;
  }

  async #process(message: APIMessage): Promise<void> {
    this.#setup.signal.throwIfAborted();
    await this.#setup.handle(message);
    this.#cursor = later(this.#cursor, message.id);
    if (message.author.bot !== true) await this.#setup.save(timeOf(this.#cursor));
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ServiceError && (error.problem === 'gone' || error.problem === 'refused');
}
