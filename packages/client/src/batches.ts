// Collects what arrives and passes it on at most once per paint, so that a fast stream doesn't paint more often than
// the screen can show. Passes it on in portions, so that a flood causes many short paints instead of one long one.
import type { WatchedEnvironment } from './environment.ts';

/** Several times what the fastest model writes between two paints. */
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
    // Nobody waits for a hidden page to paint.
    const size = this.#environment.pageState.snapshot().visible ? portion : this.#items.length;
    const items = this.#items.slice(0, size);
    this.#items = this.#items.slice(size);
    this.#cancel = this.#items.length > 0 ? this.#environment.schedule(() => this.#flush()) : undefined;
    if (items.length > 0) this.#deliver(items);
  }
}
