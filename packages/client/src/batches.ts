// Collects what arrives and hands it on at most once per drawing, so that a fast stream costs one drawing each, and in
// portions, so that a flood costs many short drawings instead of one long one.
import type { WatchedEnvironment } from './environment.ts';

/** Several times what the fastest model writes between two drawings. */
const portion = 50;

export class Batches<T> {
  readonly #deliver: (items: readonly T[]) => void;
  readonly #environment: WatchedEnvironment;
  #items: T[] = [];
  #cancel: (() => void) | undefined;

  constructor(environment: WatchedEnvironment, deliver: (items: readonly T[]) => void) {
    this.#environment = environment;
    this.#deliver = deliver;
  }

  add(item: T): void {
    this.#items.push(item);
    this.#cancel ??= this.#environment.schedule(() => this.#flush());
  }

  clear(): void {
    this.#items = [];
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #flush(): void {
    // Nobody waits for the drawing of a hidden page.
    const size = this.#environment.surroundings.snapshot().visible ? portion : this.#items.length;
    const items = this.#items.slice(0, size);
    this.#items = this.#items.slice(size);
    this.#cancel = this.#items.length > 0 ? this.#environment.schedule(() => this.#flush()) : undefined;
    if (items.length > 0) this.#deliver(items);
  }
}
