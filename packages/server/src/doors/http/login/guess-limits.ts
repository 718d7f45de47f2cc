// Slows down password guessing: a few tries are free, then each one waits longer. Counts per address, and more
// leniently overall, so that using many addresses doesn't help and nobody can lock the family out.
import { isIPv6 } from 'node:net';
import { backoffMs } from '../../../basics/backoff.ts';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import type { Clock } from '../../../domain/clock.ts';

interface Policy {
  readonly free: number;
  readonly longestWaitMs: number;
  /** The count resets after this long without a try. */
  readonly forgetMs: number;
}

interface Tries {
  count: number;
  lastAt: number;
}

const minute = 60_000;
const perAddress: Policy = { free: 5, longestWaitMs: 15 * minute, forgetMs: 60 * minute };
const overall: Policy = { free: 50, longestWaitMs: 10_000, forgetMs: 15 * minute };
const mostAddresses = 10_000;

export class GuessLimits {
  readonly #clock: Clock;
  readonly #addresses = new BoundedMap<string, Tries>(mostAddresses);
  #all: Tries = { count: 0, lastAt: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the seconds to wait, or undefined if a try is allowed. It counts as wrong until `succeeded` is called. */
  begin(address: string): number | undefined {
    const now = this.#clock.now();
    const own = this.#addresses.get(address) ?? { count: 0, lastAt: 0 };
    const waitMs = Math.max(waitOf(own, perAddress, now), waitOf(this.#all, overall, now));
    if (waitMs > 0) return Math.ceil(waitMs / 1_000);
    this.#all = counted(this.#all, overall, now);
    this.#addresses.set(address, counted(own, perAddress, now));
    return undefined;
  }

  succeeded(address: string): void {
    this.#addresses.delete(address);
    this.#all = { ...this.#all, count: Math.max(0, this.#all.count - 1) };
  }
}

function waitOf({ count, lastAt }: Tries, { free, longestWaitMs }: Policy, now: number): number {
  if (count < free) return 0;
  return lastAt + backoffMs(count - free + 1, { firstMs: 1_000, longestMs: longestWaitMs }) - now;
}

function counted({ count, lastAt }: Tries, { forgetMs }: Policy, now: number): Tries {
  return { count: now - lastAt > forgetMs ? 1 : count + 1, lastAt: now };
}

/** One IPv4 address is one client; so is a whole IPv6 /64, which one client owns. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]?.split('::') ?? [];
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
