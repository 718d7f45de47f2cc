// Slows down password guessing: a few tries are free, then each one waits longer. Counts per address, and more leniently
// per account and overall, so that using many addresses doesn't help. A browser that has logged in before is
// counted separately, so that nobody can lock anybody out.
import { ParleyError } from '@parley/protocol';
import type { FastifyReply } from 'fastify';
import { backoffMs } from '../../../basics/backoff.ts';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import { waitText } from '../../../content/waiting-time.ts';
import type { Clock } from '../../../domain/clock.ts';
import { noTries, type TriedName, type Tries, type TriesStore, type Verdict } from '../../../domain/tries.ts';

interface Policy {
  readonly free: number;
  readonly longestWaitMs: number;
  /** The count resets after this long without a try. */
  readonly forgetMs: number;
}

const minute = 60_000;
/** An address, or a known browser. */
const each: Policy = { free: 5, longestWaitMs: 15 * minute, forgetMs: 60 * minute };
const account: Policy = { free: 20, longestWaitMs: minute, forgetMs: 60 * minute };
const overall: Policy = { free: 50, longestWaitMs: 10_000, forgetMs: 15 * minute };

export interface Guesser {
  readonly address: string;
  /** The browser, if somebody has logged in with it before. */
  readonly browser: string | undefined;
  /** The person whose own password is tried, if they have an account. */
  readonly account?: string | undefined;
}

export class GuessLimits {
  readonly #clock: Clock;
  readonly #tries: TriesStore;

  constructor(clock: Clock, tries: TriesStore = new TriesInMemory()) {
    this.#clock = clock;
    this.#tries = tries;
  }

  /** Resolves to the seconds to wait, or undefined if a try is allowed. It counts as wrong until `succeeded` is called. */
  begin(guesser: Guesser): Promise<number | undefined> {
    const now = this.#clock.now();
    const counts = countsOf(guesser);
    return this.#change(counts, now, (tries) => {
      const waitMs = Math.max(
        ...counts.map(({ policy }, index) => waitOf(tries[index] ?? noTries, policy, now)),
      );
      if (waitMs > 0) return { result: Math.ceil(waitMs / 1_000) };
      const next = counts.map(({ policy }, index) => counted(tries[index] ?? noTries, policy, now));
      return { result: undefined, tries: next };
    });
  }

  async succeeded(guesser: Guesser): Promise<void> {
    const counts = countsOf(guesser);
    await this.#change(counts, this.#clock.now(), (tries) => ({
      result: undefined,
      // One right password must not reset what many strangers tried.
      tries: counts.map(({ name: [kind] }, index) =>
        kind === 'all' ? oneLess(tries[index] ?? noTries) : undefined,
      ),
    }));
  }

  #change<T>(
    counts: readonly Count[],
    now: number,
    decide: (tries: readonly Tries[]) => Verdict<T>,
  ): Promise<T> {
    const since = now - Math.max(each.forgetMs, account.forgetMs, overall.forgetMs);
    return this.#tries.change(
      counts.map(({ name }) => name),
      since,
      decide,
    );
  }
}

interface Count {
  readonly name: TriedName;
  readonly policy: Policy;
}

/** A browser that has logged in before counts only toward its own limit. */
function countsOf({ address, browser, account: person }: Guesser): readonly Count[] {
  if (browser !== undefined) return [{ name: ['browser', browser], policy: each }];
  return [
    { name: ['address', address], policy: each },
    { name: ['all', ''], policy: overall },
    ...(person === undefined ? [] : [{ name: ['account', person], policy: account } as const]),
  ];
}

/** Separate per kind: strangers can fill the addresses, but must not push out the count of a stolen browser mark. */
const most: Readonly<Record<string, number>> = { address: 10_000, browser: 1_000, account: 1_000 };

class TriesInMemory implements TriesStore {
  readonly #kinds = new Map<string, BoundedMap<string, Tries>>();

  async change<T>(
    names: readonly TriedName[],
    _since: number,
    decide: (tries: readonly Tries[]) => Verdict<T>,
  ): Promise<T> {
    const { result, tries } = decide(names.map(([kind, name]) => this.#of(kind).get(name) ?? noTries));
    if (!tries) return result;
    for (const [index, [kind, name]] of names.entries()) {
      const next = tries[index];
      if (next) this.#of(kind).set(name, next);
      else this.#of(kind).delete(name);
    }
    return result;
  }

  #of(kind: string): BoundedMap<string, Tries> {
    const known = this.#kinds.get(kind) ?? new BoundedMap<string, Tries>(most[kind] ?? 1);
    this.#kinds.set(kind, known);
    return known;
  }
}

function oneLess({ count, lastAt }: Tries): Tries {
  return { count: Math.max(0, count - 1), lastAt };
}

function waitOf({ count, lastAt }: Tries, { free, longestWaitMs }: Policy, now: number): number {
  if (count < free) return 0;
  return lastAt + backoffMs(count - free + 1, { firstMs: 1_000, longestMs: longestWaitMs }) - now;
}

function counted({ count, lastAt }: Tries, { forgetMs }: Policy, now: number): Tries {
  return { count: now - lastAt > forgetMs ? 1 : count + 1, lastAt: now };
}

export function tooManyGuesses(reply: FastifyReply, seconds: number): ParleyError {
  reply.header('retry-after', seconds);
  return new ParleyError('rate_limited', `Too many wrong passwords. Try again ${waitText(seconds)}.`);
}
