// Ids as Discord makes them: milliseconds since 2015, then 22 bits that keep ids of the same millisecond apart.

const epoch = 1_420_070_400_000n;

export class Snowflakes {
  #last = 0n;

  /** Greater than every id before it. */
  next(now = Date.now()): string {
    const wanted = (BigInt(now) - epoch) << 22n;
    this.#last = wanted > this.#last ? wanted : this.#last + 1n;
    return String(this.#last);
  }
}

export function isLater(id: string, than: string): boolean {
  return BigInt(id) > BigInt(than);
}
