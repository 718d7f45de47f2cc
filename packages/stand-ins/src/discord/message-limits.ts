// Limits how many messages a channel accepts per time window. Reports the limit in the headers of each answer, as
// Discord does, so that a library can wait instead of being refused.
import type { ServerResponse } from 'node:http';

export type MessageLimit = { readonly count: number; readonly perMs: number };

export class MessageLimits {
  readonly #limit: MessageLimit;
  readonly #windows = new Map<string, { endsAt: number; used: number }>();
  /** How often the limit was exceeded. */
  exceeded = 0;

  constructor(limit: MessageLimit) {
    this.#limit = limit;
  }

  /** Counts a message and sets the headers. Returns the seconds to wait if it is one too many. */
  take(channelId: string | undefined, response: ServerResponse, now = Date.now()): number {
    if (channelId === undefined) return 0;
    const known = this.#windows.get(channelId);
    const open = known && known.endsAt > now ? known : { endsAt: now + this.#limit.perMs, used: 0 };
    this.#windows.set(channelId, open);
    open.used += 1;
    const seconds = (open.endsAt - now) / 1_000;
    response.setHeader('x-ratelimit-limit', this.#limit.count);
    response.setHeader('x-ratelimit-remaining', Math.max(0, this.#limit.count - open.used));
    response.setHeader('x-ratelimit-reset-after', seconds.toFixed(3));
    response.setHeader('x-ratelimit-bucket', 'messages');
    if (open.used <= this.#limit.count) return 0;
    this.exceeded += 1;
    return seconds;
  }
}
