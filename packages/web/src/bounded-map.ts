// A map that drops its oldest entries when it is full. Setting an entry makes it the newest.
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly #most: number;
  readonly #weigh: (key: Key) => number;
  #weight = 0;

  /** Holds keys with a total weight of `most`; by default each weighs 1. */
  constructor(most: number, weigh: (key: Key) => number = () => 1) {
    super();
    this.#most = most;
    this.#weigh = weigh;
  }

  override set(key: Key, value: Value): this {
    this.delete(key);
    super.set(key, value);
    this.#weight += this.#weigh(key);
    for (const oldest of this.keys()) {
      if (this.#weight <= this.#most) break;
      this.delete(oldest);
    }
    return this;
  }

  override delete(key: Key): boolean {
    const isDeleted = super.delete(key);
    if (isDeleted) this.#weight -= this.#weigh(key);
    return isDeleted;
  }
}
