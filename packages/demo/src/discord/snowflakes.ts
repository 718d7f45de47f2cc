// Ids as Discord makes them: the time since 2015 in milliseconds, then 22 bits that keep ids of one moment apart.

const epoch = 1_420_070_400_000n;

export class Snowflakes {
  #last = 0n;

  /** Later than every id before it. */
  next(now = Date.now()): string {
    const wanted = (BigInt(now) - epoch) << 22n;
    this.#last = wanted > this.#last ? wanted : this.#last + 1n;
    return String(this.#last);
  }
}

export function isLater(id: string, than: string): boolean {
  return BigInt(id) > BigInt(than);
}
