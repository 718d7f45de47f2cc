// Feeds the driver broken output of the `claude` program. It must find the same frames however the bytes arrive, both
// ways of reading a frame's type must agree, and translating a frame must never throw.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fuzz } from '../../../fuzz/fuzz.ts';
import { randomChunks } from '../../../fuzz/random.ts';
import { type Frame, FrameReader, initialTranslationState, topLevelType, translate } from '../src/index.ts';

const golden = join(process.cwd(), 'packages/claude-cli/test/events/golden');
const recorded = readdirSync(golden)
  .filter((file) => file.endsWith('.jsonl'))
  .flatMap((file) => readFileSync(join(golden, file), 'utf8').split(/(?<=\n)/));

await fuzz({
  name: 'frames',
  seeds: recorded.filter((line) => line.length < 4_000),
  words: [
    '{"type":"',
    '"message":',
    '"content":[',
    '"event":',
    'null',
    '[]',
    '{}',
    '""',
    '1e999',
    '-0',
    '\\u0000',
    '\n',
  ],
  check(input, random) {
    const whole = framesIn([input]);
    const inPieces = framesIn(randomChunks(input, random));
    const textsOf = (frames: readonly Frame[]) => frames.map(({ kind, text }) => kind + text).join('\n');
    if (textsOf(whole) !== textsOf(inPieces)) throw new Error('other frames when the bytes arrive in pieces');
    let state = initialTranslationState;
    for (const frame of whole) {
      ({ state } = translate(frame, state));
      const { type } = frame.body as { readonly type?: unknown };
      const scanned = topLevelType(Buffer.from(frame.text));
      // JSON takes the last of several fields with the same name, the scanner the first.
      if (typeof type === 'string' && scanned !== type && frame.text.split('"type"').length === 2)
        throw new Error(`the type is ${type} and was read as ${scanned}`);
    }
  },
});

function framesIn(chunks: readonly Buffer[]): readonly Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader({ onFrame: (frame) => frames.push(frame), onWarning: () => undefined });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return frames;
}
