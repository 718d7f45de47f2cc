// From bytes of a stream to its events, however the bytes are cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventReader } from '../../../src/engines/messages-api/model-stream.ts';

const delta = (text: string) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});
const wire = (data: unknown, end = '\n') =>
  `event: x${end}data: ${JSON.stringify(data)}${end}${end}: comment${end}${end}`;

describe('the event reader', () => {
  it('finds the same events however the bytes are split, even within characters', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 8 }),
        fc.constantFrom('\n', '\r\n'),
        fc.array(fc.nat(40), { maxLength: 30 }),
        (texts, end, cuts) => {
          const bytes = Buffer.from(texts.map((text) => wire(delta(text), end)).join(''));
          const reader = new EventReader();
          const found: string[] = [];
          let at = 0;
          for (const size of [...cuts, bytes.length]) {
            const { events, problem } = reader.read(bytes.subarray(at, at + size));
            expect(problem).toBeUndefined();
            found.push(...events.map(({ delta }) => (delta as { text: string }).text));
            at += size;
          }
          expect(found.join('')).toBe(texts.join(''));
        },
      ),
    );
  });

  it('joins text that arrives together, and keeps other blocks and kinds apart', () => {
    const thinking = {
      type: 'content_block_delta',
      index: 1,
      delta: { type: 'thinking_delta', thinking: 'Hm' },
    };
    const padded = JSON.stringify(delta('all')).replace(/}$/, '    }');
    const other = { ...delta('.'), index: 1 };
    const chunk = [
      wire({ type: 'ping' }),
      wire(delta('Hel')),
      wire(delta('lo ')),
      `data: ${padded}\n\n`,
      wire(delta(' "you",\n')),
      wire(delta('and I')),
      wire(other),
      wire(thinking),
      wire(other),
    ].join('');
    expect(new EventReader().read(Buffer.from(chunk)).events).toEqual([
      { type: 'ping' },
      delta('Hello all'),
      delta(' "you",\nand I'),
      other,
      thinking,
      other,
    ]);
  });

  it('joins the data lines of one event and waits until it is complete', () => {
    const reader = new EventReader();
    expect(reader.read(Buffer.from('data: {"type":\ndata:"ping"}\nid: 7\n')).events).toEqual([]);
    expect(reader.read(Buffer.from('\n')).events).toEqual([{ type: 'ping' }]);
  });

  it.each([
    ['is cut within a text', '{"type":"content_block_delta","index":0,"delta":{"text":"ab'],
    ['goes on after its end', `${JSON.stringify(delta('b'))}x`],
    ['is not closed', JSON.stringify(delta('b')).slice(0, -1)],
    ['is no object', '5'],
    ['has no type', '{}'],
    ['has no delta', '{"type":"content_block_delta","index":0}'],
    ['has no text', '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta"}}'],
    ['has no block', '{"type":"content_block_start","index":0}'],
    ['has no message', '{"type":"message_start"}'],
  ])('reports an event that %s, and returns what came before it', (_, broken) => {
    const chunk = `${wire(delta('a'))}data: ${broken}\n\n${wire(delta('c'))}`;
    const { events, problem } = new EventReader().read(Buffer.from(chunk));
    expect(problem?.kind).toBe('cut-off');
    expect(events).toEqual([delta('a')]);
  });

  it('reports a failure that the service sends in the stream', () => {
    const overloaded = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
    const { events, problem } = new EventReader().read(Buffer.from(wire(delta('a')) + wire(overloaded)));
    expect(events).toEqual([delta('a')]);
    expect(problem).toMatchObject({ kind: 'overloaded', message: 'overloaded_error: Overloaded' });
  });

  it('ignores what comes after the end of the message', () => {
    const stop = { type: 'message_stop' };
    const chunk = `${wire(delta('a'))}${wire(stop)}data: [DONE]\n\n${wire(delta('b'))}`;
    expect(new EventReader().read(Buffer.from(chunk))).toEqual({ events: [delta('a'), stop] });
  });

  it('stops an event that grows without end', () => {
    const reader = new EventReader();
    const chunk = Buffer.alloc(4 * 1024 * 1024, 'x');
    const problems = Array.from({ length: 5 }, () => undefined as string | undefined);
    for (let round = 0; round < 5 && problems[Math.max(0, round - 1)] === undefined; round += 1) {
      problems[round] = reader.read(chunk).problem?.kind;
    }
    expect(problems).toContain('cut-off');
  });
});
