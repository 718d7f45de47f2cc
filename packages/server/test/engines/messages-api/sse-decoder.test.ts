import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseDecoder } from '../../../src/engines/messages-api/sse-decoder.ts';

describe('SseDecoder', () => {
  it('finds the same events however the bytes are split, within characters too', () => {
    const data = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => JSON.stringify({ text }));
    fc.assert(
      fc.property(
        fc.array(data, { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(40), { maxLength: 30 }),
        (events, end, cuts) => {
          const wire = events
            .map((event) => `event: x${end}data: ${event}${end}${end}: comment${end}${end}`)
            .join('');
          const bytes = Buffer.from(wire);
          const decoder = new SseDecoder();
          const found: string[] = [];
          let at = 0;
          for (const size of [...cuts, bytes.length]) {
            found.push(...decoder.push(bytes.subarray(at, at + size)));
            at += size;
          }
          expect(found).toEqual(events);
        },
      ),
    );
  });

  it('joins the data lines of one event, with or without a space', () => {
    expect(new SseDecoder().push(Buffer.from('data: a\ndata:b\nid: 7\n\n'))).toEqual(['a\nb']);
  });

  it('gives an event only when it is whole', () => {
    const decoder = new SseDecoder();

    expect(decoder.push(Buffer.from('data: a\n'))).toEqual([]);
    expect(decoder.push(Buffer.from('\n'))).toEqual(['a']);
  });

  it('does not let an event grow without end', () => {
    const decoder = new SseDecoder();
    const chunk = Buffer.alloc(4 * 1024 * 1024, 'x');

    expect(() => {
      for (let round = 0; round < 5; round += 1) decoder.push(chunk);
    }).toThrow(RangeError);
  });
});
