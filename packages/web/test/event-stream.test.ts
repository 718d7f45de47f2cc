// Server-sent events as the page reads them.
import { describe, expect, it } from 'vitest';
import { parseEvent, readEvents } from '../src/api/event-stream.ts';

describe('an event of a stream', () => {
  it('has its number, its name and its data', () => {
    expect(parseEvent('id: 7\nevent: chunk\ndata: {"a":1}')).toEqual({
      id: '7',
      name: 'chunk',
      data: '{"a":1}',
    });
    expect(parseEvent('data: one\r\ndata:two')).toEqual({ id: '', name: 'message', data: 'one\ntwo' });
  });

  it('is none where a block only keeps the line open', () => {
    expect(parseEvent(': ping')).toBeUndefined();
    expect(parseEvent('')).toBeUndefined();
  });

  it('is whole, however the stream was cut into pieces', async () => {
    const text = 'id: 1\ndata: é first\n\n: ping\n\nid: 2\ndata: second\n\nid: 3\ndata: torn';
    const bytes = new TextEncoder().encode(text);
    for (const size of [1, 2, 5, 1_000]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.slice(at * size, (at + 1) * size),
      );
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece);
          controller.close();
        },
      });
      const events = [];
      for await (const { id, data } of readEvents(new Response(body))) events.push([id, data]);
      expect(events).toEqual([
        ['1', 'é first'],
        ['2', 'second'],
      ]);
    }
  });
});
