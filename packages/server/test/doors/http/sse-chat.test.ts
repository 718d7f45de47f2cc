// Chat over server-sent events: the stream, coming back to it, stopping it, several readers.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, type DoorHarness, gate, startDoor } from './door-harness.ts';
import { eventsOf, type ReadEvent } from './sse.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor({ limits: { messageLength: 1_000 } });
});
afterAll(() => door.stop());

const chat = (message: string, fields: object = {}, headers: Record<string, string> = {}) =>
  door.post('/api/chat', { message, ...fields }, headers);
const conversationOf = (response: Response) => response.headers.get('x-conversation-id') ?? '';
const told = (events: readonly ReadEvent[]) => events.map(({ event, data }) => ({ event, data }));

describe('POST /api/chat', () => {
  it('streams the answer as named events, each with its number [kitchen.chat.message]', async () => {
    const response = await chat('Hello');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    const events = await collect(eventsOf(response));
    expect(told(events)).toEqual([
      { event: 'chunk', data: { text: 'You said: Hello' } },
      { event: 'done', data: { tokens_used: 0 } },
    ]);
    expect(events.map(({ id }) => id)).toEqual([3, 5]);
  });

  it('names the conversation before the first event [kitchen.chat.conversation-id]', async () => {
    const held = gate();
    door.engine.scripts.set('silent', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'late' };
    });
    const response = await chat('silent');
    const id = conversationOf(response);
    expect(await door.gateway.getSession('sebastian', id)).toMatchObject({
      engine: 'messages-api',
      assistant: 'kitchen',
    });
    held.open();
    await response.text();
  });
});
