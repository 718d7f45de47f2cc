import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../src/index.ts';

interface Seen {
  readonly lines: string[];
  readonly offsets: number[];
  readonly overlong: number[];
  readonly unterminated: string[];
}

function split(chunks: readonly Buffer[], maxLineBytes?: number): Seen {
  const seen: Seen = { lines: [], offsets: [], overlong: [], unterminated: [] };
  const splitter = new LineSplitter({
    ...(maxLineBytes === undefined ? {} : { maxLineBytes }),
    onLine: (line, offset, terminated) => {
      seen.lines.push(line.toString());
      seen.offsets.push(offset);
      if (!terminated) seen.unterminated.push(line.toString());
    },
    onOverlong: (size) => seen.overlong.push(size),
  });
  for (const chunk of chunks) splitter.push(chunk);
  splitter.end();
  return seen;
}

describe('the line splitter', () => {
  it('cuts at byte 0x0A and leaves U+2028, U+2029, U+0085 and CR inside lines', () => {
    const lines = ['{"a":"x\u2028y\u2029z\u0085"}', '{"b":1}\r', '', '{"c":2}'];
    const seen = split([Buffer.from(`${lines.join('\n')}\n`)]);
    expect(seen.lines).toEqual(lines);
    expect(seen.unterminated).toEqual([]);
  });

  it('returns the same lines for every pair of cuts, even inside multi-byte characters [driver.stream.by-line]', () => {
    const stream = Buffer.from('{"ä":"€"}\n{"🙂":"x"}\n\nlast');
    const whole = split([stream]);
    expect(whole.lines).toEqual(['{"ä":"€"}', '{"🙂":"x"}', '', 'last']);
    for (let a = 0; a <= stream.length; a += 1) {
      for (let b = a; b <= stream.length; b += 1) {
        expect(split([stream.subarray(0, a), stream.subarray(a, b), stream.subarray(b)])).toEqual(whole);
      }
    }
  });

  it('reports where each line starts in the stream', () => {
    const stream = Buffer.from('one\n\nthree 🙂\nfour');
    const { offsets, lines } = split([stream.subarray(0, 2), stream.subarray(2, 9), stream.subarray(9)]);
    const found = offsets.map((offset, i) =>
      stream.subarray(offset, offset + Buffer.byteLength(lines[i] ?? '')),
    );
    expect(found.map(String)).toEqual(lines);
  });

  it('returns a last line without newline, marked as such, and none after a final newline', () => {
    expect(split([Buffer.from('a\nb')]).unterminated).toEqual(['b']);
    expect(split([Buffer.from('a\nb\n')]).lines).toEqual(['a', 'b']);
    expect(split([]).lines).toEqual([]);
  });

  it('skips and counts a line over the limit, and continues with the next', () => {
    const long = 'x'.repeat(11);
    const fits = 'y'.repeat(10);
    const stream = Buffer.from(`${fits}\n${long}\n${fits}\n${long}`);
    for (const size of [1, 3, 7, stream.length]) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < stream.length; at += size) chunks.push(stream.subarray(at, at + size));
      const seen = split(chunks, 10);
      expect(seen.lines).toEqual([fits, fits]);
      expect(seen.overlong).toEqual([11, 11]);
      expect(seen.offsets).toEqual([0, 23]);
    }
  });

  it('holds no bytes of a line that is already over the limit', () => {
    const splitter = new LineSplitter({ maxLineBytes: 1000, onLine: () => {} });
    const held: number[] = [];
    for (let i = 0; i < 5; i += 1) {
      splitter.push(Buffer.alloc(400, 0x61));
      held.push(splitter.pendingBytes);
    }
    expect(held).toEqual([400, 800, 0, 0, 0]);
    splitter.push(Buffer.from('\n'));
    expect(splitter.overlong).toBe(1);
  });

  it('joins the parts of a long line once', () => {
    const part = Buffer.alloc(1024, 0x61);
    const lines: Buffer[] = [];
    const splitter = new LineSplitter({ onLine: (line) => lines.push(line) });
    for (let i = 0; i < 20_000; i += 1) splitter.push(part);
    expect(splitter.pendingBytes).toBe(20_000 * 1024);
    splitter.push(Buffer.from('\nnext\n'));
    expect(lines.map((line) => line.length)).toEqual([20_000 * 1024, 4]);
    expect(splitter.pendingBytes).toBe(0);
  });

  it('copies nothing if a line is within one chunk', () => {
    // With memory of its own: small buffers share theirs, and so would copies.
    const chunk = Buffer.alloc(8, 'one\ntwo\n');
    const lines: Buffer[] = [];
    new LineSplitter({ onLine: (line) => lines.push(line) }).push(chunk);
    expect(lines.map(String)).toEqual(['one', 'two']);
    expect(lines.every((line) => line.buffer === chunk.buffer)).toBe(true);
  });
});
