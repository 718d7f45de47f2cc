// Discord's ids: the time since 2015 in milliseconds, then 22 bits that keep the ids of one moment apart. Marks are
// kept as times, since an id is too long for a number. Pure.

const epoch = 1_420_070_400_000n;
const lowBits = 22n;

/** In milliseconds, as clocks count. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> lowBits) + epoch);
}

/** Ids of this moment and later come after it. */
export function justBefore(time: number): string {
  const start = (BigInt(time) - epoch) << lowBits;
  return String(start > 0n ? start - 1n : 0n);
}

/** Ids of this moment and earlier do not come after it. */
export function endOf(time: number): string {
  return justBefore(time + 1);
}

export function later(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}
