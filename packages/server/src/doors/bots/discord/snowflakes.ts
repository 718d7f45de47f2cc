// Discord's ids: milliseconds since 2015, then 22 bits that distinguish ids of the same millisecond. Marks are stored
// as times, because an id is too large for a number. Pure.

const epoch = 1_420_070_400_000n;
const lowBits = 22n;

/** The time of an id, in milliseconds since 1970. */
export function timeOf(id: string): number {
  return Number((BigInt(id) >> lowBits) + epoch);
}

/** The greatest id before this time. */
export function justBefore(time: number): string {
  const start = (BigInt(time) - epoch) << lowBits;
  return String(start > 0n ? start - 1n : 0n);
}

/** The greatest id of this time. */
export function greatestAt(time: number): string {
  return justBefore(time + 1);
}

export function later(a: string, b: string): string {
  return BigInt(a) > BigInt(b) ? a : b;
}
