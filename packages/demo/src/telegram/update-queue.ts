// The updates for the bot. Reading an update doesn't remove it; a read with a higher offset does.
import { dropOldest } from '../drop-oldest.ts';
import { Refusal, type Update } from './wire.ts';

type Poll = {
  readonly allowed: ReadonlySet<string> | undefined;
  readonly limit: number;
  readonly resolve: (updates: readonly Update[]) => void;
  readonly reject: (error: Refusal) => void;
};

const maxDeliveries = 20_000;

export class UpdateQueue {
  #updates: Update[] = [];
  #poll: Poll | undefined;
  /** How often each of the newest updates was delivered: more than once if the bot crashed before it confirmed it. */
  readonly deliveries = new Map<number, number>();

  get pending(): readonly Update[] {
    return this.#updates;
  }

  add(update: Update): void {
    this.#updates.push(update);
    const poll = this.#poll;
    if (!poll) return;
    const due = this.#take(poll);
    if (due.length === 0) return;
    this.#poll = undefined;
    poll.resolve(due);
  }

  /** Waits for updates up to the timeout. If two readers wait, the earlier one is refused. */
  async read(
    options: { offset: number; limit: number; timeoutMs: number; allowed: readonly string[] | undefined },
    signal: AbortSignal,
  ): Promise<readonly Update[]> {
    this.#poll?.reject(new Refusal(409, conflict));
    this.#poll = undefined;
    this.#updates = this.#updates.filter(({ update_id: id }) => id >= options.offset);
    const limit = Math.min(Math.max(options.limit, 1), 100);
    const allowed = options.allowed && options.allowed.length > 0 ? new Set(options.allowed) : undefined;
    const due = this.#take({ allowed, limit });
    if (due.length > 0 || options.timeoutMs <= 0) return due;
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onEnd);
        if (this.#poll === poll) this.#poll = undefined;
      };
      const onEnd = () => {
        leave();
        resolve([]);
      };
      const poll: Poll = {
        allowed,
        limit,
        resolve: (updates) => {
          leave();
          resolve(updates);
        },
        reject: (error) => {
          leave();
          reject(error);
        },
      };
      const timer = setTimeout(onEnd, options.timeoutMs);
      signal.addEventListener('abort', onEnd, { once: true });
      this.#poll = poll;
    });
  }

  #take({ allowed, limit }: Pick<Poll, 'allowed' | 'limit'>): readonly Update[] {
    const wanted = this.#updates.filter(
      (update) => !allowed || Object.keys(update).some((key) => allowed.has(key)),
    );
    const taken = wanted.slice(0, limit);
    for (const { update_id: id } of taken) {
      this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
      dropOldest(this.deliveries, maxDeliveries);
    }
    return taken;
  }
}

const conflict =
  'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running';
