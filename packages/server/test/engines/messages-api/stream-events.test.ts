// What a chunk of the stream says: pieces of a text joined, whatever their form, and nothing else touched.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readEvents } from '../../../src/engines/messages-api/stream-events.ts';

const piece = (text: string, index = 0, padding = '') =>
  `{"type":"content_block_delta","index":${index},"delta":{"type":"text_delta","text":${JSON.stringify(text)}}${padding}}`;

describe('readEvents', () => {
  it('joins the pieces of one text that came together, and keeps those of another apart', () => {
    const { events, problem } = readEvents([
      '{"type":"ping"}',
      piece('Hel'),
      piece('lo "you",\n'),
      piece('all', 0, '   '),
      piece('.', 1),
      '{"type":"content_block_delta","index":1,"delta":{"type":"thinking_delta","thinking":"Hm"}}',
      piece('!', 1),
    ]);
    expect(problem).toBeUndefined();
    expect(events).toEqual([
      { type: 'ping' },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello "you",\nall' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '.' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'thinking_delta', thinking: 'Hm' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: '!' } },
    ]);
  });

  it('reads any text as the JSON parser does', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.constantFrom('', ' ', '    '),
        (texts, padding) => {
          const { events } = readEvents(texts.map((text) => piece(text, 3, padding)));
          const read = events.map(({ delta }) => (delta as { text: string }).text).join('');
          expect(read).toBe(texts.join(''));
        },
      ),
    );
  });

  it.each([
    [
      'is cut within a text',
      '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"ab',
    ],
    ['goes on after its end', `${piece('b')}x`],
    ['is not closed', piece('b').slice(0, -1)],
  ])('refuses an event that %s, and counts what came before it', (_, broken) => {
    const { events, problem } = readEvents([piece('a'), broken, piece('c')]);
    expect(problem?.kind).toBe('cut-off');
    expect(events).toEqual([
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'a' } },
    ]);
  });

  it('joins a piece that has fields which are new', () => {
    const later = '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"b","new":1}}';
    expect(readEvents([piece('a'), later]).events).toEqual([
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'ab' } },
    ]);
  });

  it('tells a failure that the service reports in the stream', () => {
    const overloaded = '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}';
    const { events, problem } = readEvents([piece('a'), overloaded]);
    expect(events).toHaveLength(1);
    expect(problem?.kind).toBe('overloaded');
  });
});
