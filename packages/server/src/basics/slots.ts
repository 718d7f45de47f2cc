// A limited number of slots. If none is free, callers wait. A slot goes to the group that holds the fewest, and within a
// group to the caller that has waited longest. One group can be kept from taking all of them, so that others find one
// free.

export interface Wait {
  readonly group?: string;
  readonly signal?: AbortSignal;
  /** Goes first, because it had a slot and only lent it. */
  readonly isReturning?: boolean;
  /** Called with the number of callers ahead: at once, and again when it changes, at most once a second. */
  readonly onAhead?: (ahead: number) => void;
}

interface Waiting {
  readonly wait: Wait;
  readonly enter: () => void;
  readonly arrival: number;
  /** As reported last. */
  ahead?: number;
}

/** The callers of one group. */
interface Line {
  /** How many slots the group has. */
  held: number;
  readonly waiting: Waiting[];
  next: number;
}

const reportMs = 1_000;

export class Slots {
  readonly count: number;
  readonly #mostOfOne: () => number;
  #free: number;
  readonly #held = new Map<string, number>();
  /** In the order of arrival. */
  readonly #waiting = new Set<Waiting>();
  #arrivals = 0;
  #reporting: NodeJS.Timeout | undefined;

  /** `mostOfOne` is how many one group may take. */
  constructor(count: number, mostOfOne = () => count) {
    this.count = count;
    this.#mostOfOne = mostOfOne;
    this.#free = count;
  }

  /** How many wait for a slot. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** False when none is free for this group. */
  tryTake(group = ''): boolean {
    if (this.#free === 0 || !this.#isWithinShare(group)) return false;
    this.#free -= 1;
    this.#hold(group, 1);
    return true;
  }

  /** Resolves to true with a slot, and to false when the signal aborts first. */
  take(wait: Wait = {}): Promise<boolean> {
    const { group, signal } = wait;
    if (signal?.aborted) return Promise.resolve(false);
    if (this.tryTake(group)) return Promise.resolve(true);
    return new Promise((resolve) => {
      const enter = () => {
        signal?.removeEventListener('abort', leave);
        resolve(true);
      };
      const leave = () => {
        this.#waiting.delete(waiting);
        this.#reportLater();
        resolve(false);
      };
      this.#arrivals += 1;
      const waiting: Waiting = { wait, enter, arrival: this.#arrivals };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', leave, { once: true });
      this.#serve();
      if (wait.onAhead && this.#waiting.has(waiting)) report(waiting, [...this.#order()].indexOf(waiting));
      this.#reportLater();
    });
  }

  /** Passes the slot on. */
  release(group = ''): void {
    this.#hold(group, -1);
    this.#free += 1;
    this.#serve();
  }

  #serve(): void {
    while (this.#free > 0) {
      const next = this.#order().next().value;
      if (!next || !(next.wait.isReturning || this.#isWithinShare(next.wait.group))) return;
      this.#waiting.delete(next);
      this.#free -= 1;
      this.#hold(next.wait.group, 1);
      next.enter();
      this.#reportLater();
    }
  }

  #isWithinShare(group = ''): boolean {
    return (this.#held.get(group) ?? 0) < this.#mostOfOne();
  }

  /** Everybody who waits, the next one first. Groups that already have their share come last. */
  *#order(): Generator<Waiting, void, undefined> {
    const most = this.#mostOfOne();
    const lines = new Map<string, Line>();
    for (const waiting of this.#waiting) {
      const { group = '', isReturning } = waiting.wait;
      const line = lines.get(group) ?? { held: this.#held.get(group) ?? 0, waiting: [], next: 0 };
      if (isReturning) yield waiting;
      else line.waiting.push(waiting);
      lines.set(group, line);
    }
    for (;;) {
      const all = [...lines.values()];
      const line = firstOf(all.filter(({ held }) => held < most)) ?? firstOf(all);
      const waiting = line?.waiting[line.next];
      if (!line || !waiting) return;
      yield waiting;
      line.next += 1;
      line.held += 1;
    }
  }

  #hold(group = '', change: 1 | -1): void {
    const held = (this.#held.get(group) ?? 0) + change;
    if (held === 0) this.#held.delete(group);
    else this.#held.set(group, held);
  }

  #reportLater(): void {
    if (this.#reporting || this.#waiting.size === 0) return;
    this.#reporting = setTimeout(() => {
      this.#reporting = undefined;
      [...this.#order()].forEach(report);
    }, reportMs).unref();
  }
}

/** Slots for several people: while they are shared, one person gets at most `part` of them. */
export function fairSlots(count: number, part: number, isShared: () => boolean = () => false): Slots {
  return new Slots(count, () => (isShared() ? shareOfOne(count, part) : count));
}

export function shareOfOne(count: number, part: number): number {
  return Math.max(1, Math.floor(count * part));
}

function report(waiting: Waiting, ahead: number): void {
  if (waiting.ahead === ahead) return;
  waiting.ahead = ahead;
  waiting.wait.onAhead?.(ahead);
}

function firstOf(lines: readonly Line[]): Line | undefined {
  const open = lines.filter(({ waiting, next }) => next < waiting.length);
  const arrival = ({ waiting, next }: Line) => waiting[next]?.arrival ?? 0;
  return open.reduce<Line | undefined>((first, line) => {
    if (!first || line.held < first.held) return line;
    return line.held === first.held && arrival(line) < arrival(first) ? line : first;
  }, undefined);
}
