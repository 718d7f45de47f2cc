// Slows down password guessing: a few tries are free, then each one waits longer. Counts per address, and more leniently
// per account and overall, so that using many addresses doesn't help. A browser that has logged in before counts for
// itself, so that nobody can lock anybody out.
import { isIPv6 } from 'node:net';
import { ParleyError } from '@parley/protocol';
import type { FastifyReply } from 'fastify';
import { backoffMs } from '../../../basics/backoff.ts';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import { inTime } from '../../../content/waiting-time.ts';
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
/** An address, or a known browser. */
const each: Policy = { free: 5, longestWaitMs: 15 * minute, forgetMs: 60 * minute };
const account: Policy = { free: 20, longestWaitMs: minute, forgetMs: 60 * minute };
const overall: Policy = { free: 50, longestWaitMs: 10_000, forgetMs: 15 * minute };
const mostAddresses = 10_000;
/** Of those that tried a wrong password lately. */
const mostBrowsers = 1_000;
/** Of those somebody tried a wrong password for lately. */
const mostAccounts = 1_000;

export interface Guesser {
  readonly address: string;
  /** The browser, if somebody has logged in with it before. */
  readonly browser: string | undefined;
  /** The person whose own password is tried, if they have an account. */
  readonly account?: string | undefined;
}

export class GuessLimits {
  readonly #clock: Clock;
  readonly #addresses = new BoundedMap<string, Tries>(mostAddresses);
  /** Apart from the addresses: strangers can fill that map, and must not reset the count of a stolen mark. */
  readonly #browsers = new BoundedMap<string, Tries>(mostBrowsers);
  readonly #accounts = new BoundedMap<string, Tries>(mostAccounts);
  #all: Tries = { count: 0, lastAt: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the seconds to wait, or undefined if a try is allowed. It counts as wrong until `succeeded` is called. */
  begin(guesser: Guesser): number | undefined {
    const now = this.#clock.now();
    const { map, key, isKnown } = this.#countOf(guesser);
    const own = map.get(key) ?? { count: 0, lastAt: 0 };
    const theirs = this.#triesFor(guesser.account);
    const shared = Math.max(waitOf(this.#all, overall, now), waitOf(theirs, account, now));
    const waitMs = Math.max(waitOf(own, each, now), isKnown ? 0 : shared);
    if (waitMs > 0) return Math.ceil(waitMs / 1_000);
    if (!isKnown) {
      this.#all = counted(this.#all, overall, now);
      if (guesser.account !== undefined) this.#accounts.set(guesser.account, counted(theirs, account, now));
    }
    map.set(key, counted(own, each, now));
    return undefined;
  }

  succeeded(guesser: Guesser): void {
    const { map, key, isKnown } = this.#countOf(guesser);
    map.delete(key);
    if (isKnown) return;
    this.#all = { ...this.#all, count: Math.max(0, this.#all.count - 1) };
    if (guesser.account !== undefined) this.#accounts.delete(guesser.account);
  }

  #triesFor(person: string | undefined): Tries {
    return (person === undefined ? undefined : this.#accounts.get(person)) ?? { count: 0, lastAt: 0 };
  }

  #countOf({ address, browser }: Guesser) {
    return browser === undefined
      ? { map: this.#addresses, key: address, isKnown: false }
      : { map: this.#browsers, key: browser, isKnown: true };
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

export function tooManyGuesses(reply: FastifyReply, seconds: number): ParleyError {
  reply.header('retry-after', seconds);
  return new ParleyError('rate_limited', `Too many wrong passwords. Try again ${inTime(seconds)}.`);
}
