// A map that drops its least recently used entry when it is full. Reading and writing an entry both count as using it. It
// takes memory only for what is in it: most of these maps have few entries, and room for thousands.

export class BoundedMap<
  Key extends string | number | object,
  Value extends string | number | boolean | object,
> {
  readonly #most: number;
  /** The least recently used first. */
  readonly #entries = new Map<Key, Value>();
  /**
   * Everything before it is deleted. A new iterator would have to skip that, which takes longer than everything else.
   * An old one keeps alive whatever was in the map since it last moved, so it is dropped after many uses.
   */
  #oldest: Iterator<Key> | undefined;
  #usesSinceMove = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  has(key: Key): boolean {
    return this.#entries.has(key);
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined) this.#use(key, value);
    return value;
  }

  set(key: Key, value: Value): void {
    this.#use(key, value);
    if (this.#entries.size <= this.#most) return;
    this.#oldest ??= this.#entries.keys();
    this.#usesSinceMove = 0;
    const { value: oldest } = this.#oldest.next();
    if (oldest !== undefined) this.#entries.delete(oldest);
  }

  /** False when there was no such entry. */
  delete(key: Key): boolean {
    return this.#entries.delete(key);
  }

  /** Most recently used first. Does not count as using them. */
  entries(): IterableIterator<[Key, Value]> {
    return [...this.#entries].reverse().values();
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = undefined;
  }

  #use(key: Key, value: Value): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#usesSinceMove += 1;
    if (this.#usesSinceMove > this.#most) this.#oldest = undefined;
  }
}
