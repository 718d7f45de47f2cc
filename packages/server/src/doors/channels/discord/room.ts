// One channel: its messages are taken in one after the other. When one cannot be, or too many wait, those that came
// are let go and fetched again from where the channel stands, so that nothing is lost and memory stays bounded.
import { setTimeout as pause } from 'node:timers/promises';
import type { APIMessage } from 'discord-api-types/v10';
import { ChannelError } from '../core/channel.ts';
import { later, timeOf } from './snowflakes.ts';

export interface RoomSetup {
  /** Messages after this id are not taken in yet. */
  readonly cursor: string;
  /** Whether the cursor would be found after a crash. */
  readonly isKept: boolean;
  readonly keep: (time: number) => Promise<void>;
  readonly fetchAfter: (after: string) => Promise<readonly APIMessage[]>;
  readonly handle: (message: APIMessage) => Promise<void>;
  readonly onError: (error: unknown, waitMs: number) => void;
  readonly signal: AbortSignal;
}

const mostWaiting = 100;
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

export class Room {
  readonly #setup: RoomSetup;
  readonly #waiting: APIMessage[] = [];
  #cursor: string;
  #isKept: boolean;
  /** What comes is let go, as it is fetched anyway. */
  #isBehind = false;
  /** Something came since the last fetch began. */
  #hasMore = false;
  #working: Promise<void> | undefined;

  constructor(setup: RoomSetup) {
    this.#setup = setup;
    this.#cursor = setup.cursor;
    this.#isKept = setup.isKept;
  }

  add(message: APIMessage): void {
    if (!this.#isBehind && this.#waiting.length < mostWaiting) this.#waiting.push(message);
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
        await this.#takeNext();
        failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        if (isGone(error)) {
          this.#isBehind = false;
          continue;
        }
        this.#fallBehind();
        const told = error instanceof ChannelError ? error.retryAfterMs : undefined;
        const waitMs = told ?? Math.min(firstPauseMs * 2 ** failures, longestPauseMs);
        failures += 1;
        onError(error, waitMs);
        await pause(waitMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  async #takeNext(): Promise<void> {
    if (!this.#isKept) {
      await this.#setup.keep(timeOf(this.#cursor));
      this.#isKept = true;
    }
    if (this.#isBehind) return this.#fetch();
    const message = this.#waiting.shift();
    if (message) await this.#take(message);
  }

  async #fetch(): Promise<void> {
    this.#hasMore = false;
    const messages = await this.#setup.fetchAfter(this.#cursor);
    for (const message of messages) await this.#take(message);
    // One that came while the last page was on its way may not be on it.
    if (messages.length === 0 && !this.#hasMore) this.#isBehind = false;
  }

  async #take(message: APIMessage): Promise<void> {
    this.#setup.signal.throwIfAborted();
    await this.#setup.handle(message);
    this.#cursor = later(this.#cursor, message.id);
    if (message.author.bot !== true) await this.#setup.keep(timeOf(this.#cursor));
  }
}

function isGone(error: unknown): boolean {
  return error instanceof ChannelError && (error.problem === 'gone' || error.problem === 'refused');
}
