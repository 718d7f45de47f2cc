// The world of a simulation: one clock, one queue of what happens next, and one source of chance. The same seed always
// leads to the same run.

export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  whole(least: number, most: number): number {
    return Math.floor(this.between(least, most + 1));
  }

  is(share: number): boolean {
    return this.next() < share;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.whole(0, items.length - 1)] as T;
  }
}

interface Happening {
  readonly at: number;
  readonly order: number;
  work: (() => void) | undefined;
}

export class World {
  readonly chance: Chance;
  /** Milliseconds since the start; also the clock of the database. */
  now = 0;
  /** What was found to be wrong. */
  readonly violations: string[] = [];
  /** What happened, for a person who looks at one run. */
  readonly story: string[] = [];
  #next: Happening[] = [];
  #order = 0;

  constructor(seed: number) {
    this.chance = new Chance(seed);
  }

  tell(text: string): void {
    this.story.push(`${(this.now / 1_000).toFixed(3)} ${text}`);
  }

  violated(text: string): void {
    this.tell(`VIOLATED: ${text}`);
    this.violations.push(text);
  }

  /** Returns how to cancel it. */
  later(ms: number, work: () => void): () => void {
    const happening: Happening = { at: this.now + ms, order: this.#order++, work };
    push(this.#next, happening);
    return () => {
      happening.work = undefined;
    };
  }

  /** Lets everything happen in its order until the time is over or the condition holds. */
  async pass(until: number, isDone: () => boolean = () => false): Promise<void> {
    while (!isDone()) {
      const first = this.#next[0];
      if (!first || first.at > until) break;
      pop(this.#next);
      if (!first.work) continue;
      this.now = first.at;
      first.work();
      // Everything that follows from it happens before anything else does.
      await settled();
    }
    if (!isDone()) this.now = Math.max(this.now, until);
  }
}

/** All promises that can be resolved are, because an immediate comes after them. */
function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function isBefore(a: Happening, b: Happening): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order);
}

/** A binary heap with the next happening first. */
function push(heap: Happening[], item: Happening): void {
  let at = heap.push(item) - 1;
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(item, heap[above] as Happening)) break;
    heap[at] = heap[above] as Happening;
    at = above;
  }
  heap[at] = item;
}

function pop(heap: Happening[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let at = 0;
  for (;;) {
    let below = 2 * at + 1;
    if (below >= heap.length) break;
    if (below + 1 < heap.length && isBefore(heap[below + 1] as Happening, heap[below] as Happening))
      below += 1;
    if (!isBefore(heap[below] as Happening, last)) break;
    heap[at] = heap[below] as Happening;
    at = below;
  }
  heap[at] = last;
}
