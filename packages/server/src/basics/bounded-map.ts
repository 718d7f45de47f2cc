// A map that drops its least recently used entry when it is full. Reading and writing an entry both count as using it.
import { LRUCache } from 'lru-cache';

export class BoundedMap<
  Key extends string | number | object,
  Value extends string | number | boolean | object,
> {
  readonly #entries: LRUCache<Key, Value>;

  constructor(most: number) {
    this.#entries = new LRUCache({ max: most });
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#entries.get(key);
  }

  set(key: Key, value: Value): void {
    this.#entries.set(key, value);
  }

  /** False when there was no such entry. */
  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  /** Most recently used first. Does not count as using them. */
  entries(): IterableIterator<[Key, Value]> {
    return this.#entries.entries() as IterableIterator<[Key, Value]>;
  }

  clear(): void {
    this.#entries.clear();
  }
}
