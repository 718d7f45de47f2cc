// What the bot sent in each channel, as far as it is known: needed only to find out, after a crash or a broken
// connection, whether a message arrived.
import { roomCounters } from './rooms.ts';
import { endOf, later, timeOf } from './snowflakes.ts';

/** Own messages that are remembered by id, over all channels. */
const mostOwn = 1_000;
/** Channels whose newest message is remembered; for others the marks do. */
const mostChannels = 10_000;

export class SentMessages {
  readonly #marks: ReadonlyMap<string, number>;
  readonly #newest = new Map<string, string>();
  readonly #own = new Set<string>();

  /** `marks` are the times of what was kept earlier, of messages that came and of those that were sent. */
  constructor(marks: ReadonlyMap<string, number>) {
    this.#marks = marks;
  }

  saw(channelId: string, messageId: string): void {
    const newest = later(this.newest(channelId), messageId);
    this.#newest.delete(channelId);
    this.#newest.set(channelId, newest);
    trim(this.#newest, mostChannels);
  }

  sent(channelId: string, messageId: string): void {
    this.saw(channelId, messageId);
    this.#own.add(messageId);
    trim(this.#own, mostOwn);
  }

  isOwn(messageId: string): boolean {
    return this.#own.has(messageId);
  }

  /** Everything that is known to have arrived in the channel has this id or an earlier one. */
  newest(channelId: string): string {
    const marks = [sentCounter(channelId), ...roomCounters(channelId)];
    return (
      this.#newest.get(channelId) ?? endOf(Math.max(0, ...marks.map((mark) => this.#marks.get(mark) ?? 0)))
    );
  }

  /** The counter of a channel, and how far it has come. */
  mark(channelId: string): [string, number] {
    return [sentCounter(channelId), timeOf(this.newest(channelId))];
  }
}

function sentCounter(channelId: string): string {
  return `sent:${channelId}`;
}

function trim(kept: Map<string, string> | Set<string>, most: number): void {
  const [oldest] = kept.keys();
  if (kept.size > most && oldest !== undefined) kept.delete(oldest);
}
