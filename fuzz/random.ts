// A small seeded generator: fuzz cases must be fast to create and easy to repeat.
export interface Random {
  /** An integer from 0 up to, but not including, `below`. */
  readonly int: (below: number) => number;
  readonly pick: <T>(items: readonly T[]) => T;
}

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const int = (below: number): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
  return { int, pick: (items) => items[int(items.length)] as (typeof items)[number] };
}

/** Cuts a buffer at random places; some chunks may be empty. */
export function randomChunks(stream: Buffer, random: Random, most = 6): Buffer[] {
  const cuts = [0, stream.length];
  for (let i = random.int(most); i > 0; i -= 1) cuts.push(random.int(stream.length + 1));
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((end, i) => stream.subarray(cuts[i], end));
}
