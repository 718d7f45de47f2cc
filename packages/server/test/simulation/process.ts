// A process in the simulation, with its own clock, which runs a bit too fast or too slow. It can be paused, as by SIGSTOP,
// and killed. Everything from outside reaches it through `deliver`.
import type { Timers } from '../../src/domain/timers.ts';
import type { World } from './world.ts';

export class SimulatedProcess {
  readonly name: string;
  readonly timers: Timers;
  readonly clock: { now(): number };
  isPaused = false;
  isDead = false;
  /** Until it has noticed what happened while it was paused, it may go on a little. */
  resumedAt = Number.NEGATIVE_INFINITY;
  readonly #world: World;
  readonly #onDeath = new Set<() => void>();
  /** What has waited while it was paused. */
  #arrived: (() => void)[] = [];
  #dueTimers: (() => void)[] = [];
  /** When it has handled what has waited while it was paused. */
  #caughtUpAt = Number.NEGATIVE_INFINITY;

  constructor(name: string, world: World) {
    this.name = name;
    this.#world = world;
    const rate = world.chance.between(0.95, 1.05);
    const started = world.chance.between(0, 1e6);
    // Wall clocks differ by a minute.
    const wrong = world.chance.between(-60_000, 60_000);
    this.clock = { now: () => Math.round(1e12 + world.now + wrong) };
    this.timers = {
      now: () => started + world.now * rate,
      after: (ms, work) => {
        let isCancelled = false;
        const cancel = world.later(ms / rate, () =>
          this.#deliver(this.#dueTimers, () => {
            if (!isCancelled) work();
          }),
        );
        return () => {
          isCancelled = true;
          cancel();
        };
      },
    };
  }

  /** What arrives while the process is paused waits for it. */
  deliver(work: () => void): void {
    const waitMs = this.#caughtUpAt - this.#world.now;
    if (this.isPaused || waitMs <= 0) this.#deliver(this.#arrived, work);
    // Not before what has waited: connections keep the order.
    else this.#world.later(waitMs, () => this.#deliver(this.#arrived, work));
  }

  pause(): void {
    this.isPaused = true;
  }

  /** What has arrived is handled in its order, and timers at any time in between. */
  resume(): void {
    if (!this.isPaused) return;
    this.isPaused = false;
    this.resumedAt = this.#world.now;
    const { chance } = this.#world;
    let at = 0;
    for (const work of this.#arrived.splice(0)) {
      at += chance.between(0, 1);
      this.#world.later(at, () => this.#deliver(this.#arrived, work));
    }
    this.#caughtUpAt = this.#world.now + at;
    for (const work of this.#dueTimers.splice(0))
      this.#world.later(chance.between(0, at + 1), () => this.#deliver(this.#dueTimers, work));
  }

  kill(): void {
    this.isDead = true;
    this.#arrived = [];
    this.#dueTimers = [];
    for (const noticed of this.#onDeath) noticed();
    this.#onDeath.clear();
  }

  /** Its connections break at once. Returns how to stop listening. */
  onDeath(noticed: () => void): () => void {
    this.#onDeath.add(noticed);
    return () => this.#onDeath.delete(noticed);
  }

  #deliver(held: (() => void)[], work: () => void): void {
    if (this.isDead) return;
    if (this.isPaused) held.push(work);
    else work();
  }
}
