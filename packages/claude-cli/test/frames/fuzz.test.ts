// More than a million cases. Seeds are fixed, so a failure is reproducible.
import { describe, expect, it } from 'vitest';
import { type Random, randomChunks, seededRandom } from '../../../../fuzz/random.ts';
import { FrameReader, LineSplitter, parseFrame, topLevelString, topLevelType } from '../../src/index.ts';

const FUZZ_TIMEOUT = 300_000;
/** Each is cut in ten ways. */
const STREAMS = process.env['PARLEY_LONG'] === '1' ? 50_000 : 5_000;

const fragments = [
  '{"type":"user","message":{"role":"user","content":"hé 🙂"}}\n',
  '{"type":"a","s":"\u2028\\n"}\n',
  '{"n":{"type":"inner"},"type":"b"}\n',
  '\n',
  '\r\n',
  'not json\n',
  '{"torn":"',
  '{"type":"c"}{"type":"d"}\n',
  '\0\0\0\n',
  '\ud83d',
  'x'.repeat(40),
].map((text) => Buffer.from(text));

function randomStream(random: Random): Buffer {
  const parts: Buffer[] = [];
  for (let i = 1 + random.int(4); i > 0; i -= 1) parts.push(random.pick(fragments));
  return Buffer.concat(parts);
}

function describeLines(chunks: readonly Buffer[], maxLineBytes: number): string {
  let seen = '';
  const splitter = new LineSplitter({
    maxLineBytes,
    onLine: (line, offset, terminated) => {
      seen += `${offset}${terminated ? ':' : '!'}${line.toString('latin1')}|`;
    },
    onOverlong: (size, offset) => {
      seen += `${offset}+${size}|`;
    },
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

function describeFrames(chunks: readonly Buffer[]): string {
  let seen = '';
  const reader = new FrameReader({
    onFrame: (frame) => {
      seen += `${frame.kind}${frame.hasUsefulContent}${frame.text}|`;
    },
    onWarning: (warning) => {
      seen += `${warning.reason}${warning.offset}|`;
    },
  });
  for (const chunk of chunks) reader.push(chunk);
  reader.end();
  return seen;
}

/** Fails on the first difference; an expect per case would cost more than the case. */
function assertSame(actual: unknown, expected: unknown, what: string): void {
  if (actual !== expected) throw new Error(`${what}: got ${String(actual)}, expected ${String(expected)}`);
}

describe('random input', () => {
  it('gives the same lines for any chunks', {
    timeout: FUZZ_TIMEOUT,
  }, () => {
    const random = seededRandom(1);
    for (let stream = 0; stream < STREAMS; stream += 1) {
      const bytes = randomStream(random);
      const cap = random.pick([5, 30, 1000]);
      const whole = describeLines([bytes], cap);
      for (let cut = 0; cut < 10; cut += 1) {
        assertSame(describeLines(randomChunks(bytes, random), cap), whole, `stream ${stream}`);
      }
    }
  });

  it('gives the same frames and warnings for any chunks', { timeout: FUZZ_TIMEOUT }, () => {
    const random = seededRandom(2);
    for (let stream = 0; stream < STREAMS; stream += 1) {
      const bytes = randomStream(random);
      const whole = describeFrames([bytes]);
      for (let cut = 0; cut < 10; cut += 1) {
        assertSame(describeFrames(randomChunks(bytes, random)), whole, `stream ${stream}`);
      }
    }
  });

  it('never crashes parser or scanner on random bytes, 200,000 times', { timeout: FUZZ_TIMEOUT }, () => {
    const random = seededRandom(3);
    const alphabet = Buffer.from('{}[]",:\\ \n\t0eE+-.truefalsn\0\x80\xff\xc3type', 'latin1');
    let objects = 0;
    for (let i = 0; i < 200_000; i += 1) {
      const bytes = Buffer.allocUnsafe(random.int(40));
      for (let at = 0; at < bytes.length; at += 1) {
        bytes[at] = random.int(4) === 0 ? random.int(256) : (alphabet[random.int(alphabet.length)] as number);
      }
      const frame = parseFrame(bytes);
      const type = topLevelType(bytes);
      if (!frame) continue;
      objects += 1;
      assertSame(type, typeOf(frame.body), bytes.toString('latin1'));
    }
    expect(objects).toBeGreaterThan(0);
  });

  it('never crashes on damaged frames, and agrees with JSON.parse on valid ones, 200,000 times', {
    timeout: FUZZ_TIMEOUT,
  }, () => {
    const random = seededRandom(4);
    for (let i = 0; i < 200_000; i += 1) {
      const line = Buffer.from(JSON.stringify(randomObject(random, 0)));
      for (let damage = random.int(3); damage > 0; damage -= 1)
        line[random.int(line.length)] = random.int(256);
      const cut = random.int(3) === 0 ? line.subarray(0, random.int(line.length)) : line;
      const frame = parseFrame(cut);
      const type = topLevelType(cut);
      const uuid = topLevelString(cut, 'uuid');
      if (!frame || hasTwins(cut)) continue;
      assertSame(type, typeOf(frame.body), cut.toString());
      assertSame(uuid, stringOf((frame.body as Record<string, unknown>)['uuid']), cut.toString());
    }
  });
});

function randomObject(random: Random, depth: number): Record<string, unknown> {
  const object: Record<string, unknown> = {};
  for (let i = random.int(5); i > 0; i -= 1) {
    object[random.pick(['type', 'uuid', 'a', 'message', 'event', 'content', '"', '\\', ''])] = randomValue(
      random,
      depth,
    );
  }
  return object;
}

function randomValue(random: Random, depth: number): unknown {
  switch (random.int(depth > 2 ? 4 : 7)) {
    case 0:
      return random.pick([
        'user',
        'assistant',
        'system',
        'result',
        'x\\"',
        '\\',
        '"',
        '🙂\u2028',
        'y'.repeat(150),
      ]);
    case 1:
      return random.int(1000) - 500;
    case 2:
      return random.pick([true, false, null]);
    case 3:
      return `${'"\\'.repeat(random.int(40))}${'z'.repeat(random.int(80))}`;
    case 4:
      return [randomValue(random, depth + 1), randomValue(random, depth + 1)];
    default:
      return randomObject(random, depth + 1);
  }
}

/** Whether a key occurs twice: JSON.parse takes the last, the scanner the first. Only damage creates such lines. */
function hasTwins(line: Buffer): boolean {
  let twins = false;
  const seen = new Set<string>();
  const text = line.toString();
  for (const match of text.matchAll(/"(type|uuid)"\s*:/g)) {
    if (seen.has(match[1] ?? '')) twins = true;
    seen.add(match[1] ?? '');
  }
  return twins;
}

function typeOf(body: object): string | undefined {
  return stringOf((body as Record<string, unknown>)['type']);
}

function stringOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
