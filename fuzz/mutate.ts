// Makes a new input from those that reached new code.
import type { Random } from './random.ts';

const longestInput = 2_000;
const oddBytes = Buffer.from('\0\t\n\r "\\{}[],:<>&*_`|#-\x7f\x80\xbf\xc3\xe2\xf0\xff', 'latin1');

export function mutate(corpus: readonly Buffer[], words: readonly string[], random: Random): Buffer {
  let input = random.pick(corpus);
  for (let steps = 1 + random.int(4); steps > 0; steps -= 1) input = changed(input, corpus, words, random);
  return input.subarray(0, longestInput);
}

function changed(input: Buffer, corpus: readonly Buffer[], words: readonly string[], random: Random): Buffer {
  const [start, end] = part(input, random);
  const replaceWith = (...pieces: readonly Uint8Array[]) =>
    Buffer.concat([input.subarray(0, start), ...pieces, input.subarray(end)]);
  switch (random.int(7)) {
    case 0:
      return replaceWith();
    case 1:
      return replaceWith(Buffer.from([random.int(3) === 0 ? random.int(256) : random.pick([...oddBytes])]));
    case 2:
      return Buffer.concat([input.subarray(0, end), input.subarray(start)]);
    case 3: {
      const repeated = input.subarray(start, Math.min(end, start + 16));
      return replaceWith(...Array.from({ length: 2 ** random.int(8) }, () => repeated));
    }
    case 4: {
      const other = random.pick(corpus);
      return replaceWith(other.subarray(...part(other, random)));
    }
    default:
      if (words.length === 0) return input;
      // Usually inserts a word, sometimes replaces something with it.
      return random.int(3) === 0
        ? replaceWith(Buffer.from(random.pick(words)))
        : Buffer.concat([input.subarray(0, start), Buffer.from(random.pick(words)), input.subarray(start)]);
  }
}

/** Picks short parts more often than long ones. */
function part(input: Buffer, random: Random): [start: number, end: number] {
  const start = random.int(input.length + 1);
  return [start, Math.min(input.length, start + random.int(2 ** random.int(9) + 1))];
}
