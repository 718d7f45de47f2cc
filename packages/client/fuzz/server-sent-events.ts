// Feeds the client broken server-sent events. It must find the same events however the bytes arrive.
import { fuzz } from '../../../fuzz/fuzz.ts';
import { randomChunks } from '../../../fuzz/random.ts';
import { createHttp, streamEvents } from '../src/index.ts';

await fuzz({
  name: 'server-sent-events',
  seeds: [
    'id: 7\nevent: text.delta\ndata: {"text":"hé 🙂"}\n\n',
    ': still here\n\ndata: one\ndata: two\r\n\r\nid\n\n',
    '\ufeffdata:no space\r\rretry: 10\n\nevent: error\ndata: {"message":"a","recoverable":true}\n\n',
  ],
  words: [
    'data: ',
    'data',
    'id: ',
    'event: ',
    'retry: ',
    ':',
    '\n\n',
    '\r',
    '\r\n',
    '\ufeff',
    '\0',
    '\u2028',
  ],
  async check(input, random) {
    // The parser holds back a carriage return at the end, because a newline could follow.
    const ended = Buffer.concat([input, Buffer.from('\n')]);
    const whole = await eventsIn([ended]);
    const inPieces = await eventsIn(randomChunks(ended, random));
    if (whole !== inPieces) throw new Error(`found ${inPieces} in pieces, and ${whole} at once`);
  },
});

async function eventsIn(chunks: readonly Buffer[]): Promise<string> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
  const http = createHttp({ baseUrl: 'http://127.0.0.1', fetch: () => Promise.resolve(new Response(body)) });
  const events: unknown[] = [];
  for await (const event of streamEvents(http, '/', {})) events.push(event);
  return JSON.stringify(events);
}
