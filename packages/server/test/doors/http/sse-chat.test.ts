// Chat over server-sent events: streaming, resuming, stopping, several readers.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gif, jpeg, png, webp } from '../../support/images.ts';
import { collect, type DoorHarness, gate, linesOf, startDoor, until } from './door-harness.ts';
import { eventsOf, type ReadEvent } from './sse.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor({ limits: { messageLength: 1_000 } });
});
afterAll(() => door.stop());

const chat = (message: string, fields: object = {}, headers: Record<string, string> = {}) =>
  door.post('/api/chat', { message, ...fields }, headers);
const resume = (id: string, lastEventId?: number, headers: Record<string, string> = {}) =>
  door.fetch(`/api/chat/${id}/events`, {
    headers: { ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }), ...headers },
  });
const stop = (id: string, headers: Record<string, string> = {}) =>
  door.fetch(`/api/chat/${id}/stop`, { method: 'POST', headers });
const conversationOf = (response: Response) => response.headers.get('x-conversation-id') ?? '';
const withoutIds = (events: readonly ReadEvent[]) => events.map(({ event, data }) => ({ event, data }));
const all = (response: Response) => collect(eventsOf(response));

/** A turn that says `first`, waits for the gate or an interruption, and says `second`. */
function heldTurn(prompt: string) {
  const held = gate();
  door.engine.scripts.set(prompt, async function* ({ signal }) {
    yield { type: 'text.delta', text: 'first' };
    await Promise.race([held.opened, new Promise((done) => signal.addEventListener('abort', done))]);
    if (!signal.aborted) yield { type: 'text.delta', text: 'second' };
  });
  return held;
}

describe('POST /api/chat', () => {
  it('streams the answer as named, numbered events [kitchen.chat.message]', async () => {
    const response = await chat('Hello');
    const conversation_id = conversationOf(response);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-accel-buffering')).toBe('no');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    const events = await all(response);
    expect(withoutIds(events)).toEqual([
      { event: 'chunk', data: { text: 'You said: Hello' } },
      { event: 'done', data: { tokens_used: 0, conversation_id } },
    ]);
    expect(events.map(({ id }) => id)).toEqual([3, 5]);
  });

  it('sends the conversation id before the first event [kitchen.chat.conversation-id]', async () => {
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

  it('continues the given conversation, and starts a new one if none is given [kitchen.context.new-session]', async () => {
    const first = await chat('Hello');
    const id = conversationOf(first);
    await first.text();
    const second = await chat('Again', { conversation_id: id });
    await second.text();
    expect(conversationOf(second)).toBe(id);
    const turns = await door.gateway.turns('sebastian', id);
    expect(turns.map(({ text }) => text)).toEqual(['You said: Hello', 'You said: Again']);
    const fresh = await chat('Hello');
    await fresh.text();
    expect(conversationOf(fresh)).not.toBe(id);
  });

  it.each([
    ['unknown', () => crypto.randomUUID()],
    ['no id at all', () => '../../etc'],
    ['null', () => null],
  ])('starts a conversation when the given one is %s', async (_, id) => {
    const response = await chat('Hello', { conversation_id: id() });
    expect(response.status).toBe(200);
    await response.text();
    expect(conversationOf(response)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("silently starts a new conversation instead of continuing another person's", async () => {
    const theirs = await chat('Secret', {}, { 'x-notes-person': 'petra' });
    await theirs.text();
    const mine = await chat('Hello', { conversation_id: conversationOf(theirs) });
    await mine.text();
    expect(conversationOf(mine)).not.toBe(conversationOf(theirs));
    expect(await door.gateway.turns('petra', conversationOf(theirs))).toHaveLength(1);
  });

  it('answers a message that is sent twice with the same key only once', async () => {
    const headers = { 'idempotency-key': 'once-1' };
    const first = await all(await chat('Only once', {}, headers));
    const again = await all(await chat('Only once', {}, headers));
    expect(again).toEqual(first);
    expect(door.engine.prompts.filter((prompt) => prompt === 'Only once')).toHaveLength(1);
  });

  it('reports a failure and whether a retry can help', async () => {
    door.engine.scripts.set('fail', async function* () {
      yield { type: 'text.delta', text: 'so far' };
      yield { type: 'failed', code: 'unavailable', message: 'The model is overloaded.', recoverable: true };
    });
    expect(withoutIds(await all(await chat('fail')))).toEqual([
      { event: 'chunk', data: { text: 'so far' } },
      { event: 'error', data: { message: 'The model is overloaded.', recoverable: true } },
    ]);
  });

  it('cleans typed text before passing it on [kitchen.security.input-cleaned]', async () => {
    await (await chat('Cafe\u0301\0\u001b[31m\u202E and\r\n\tmore')).text();
    expect(door.engine.prompts.at(-1)).toBe('Café[31m and\n\tmore');
    await (await door.post('/api/claude/chat', { message: 'Cafe\u0301\u0007' })).text();
    expect(door.engine.prompts.at(-1)).toBe('Café');
  });

  it.each([
    ['no message', {}, 400, '`message` is empty.'],
    ['nothing but spaces and control characters', { message: ' \0\n' }, 400, '`message` is empty.'],
    ['a message that is no text', { message: 7 }, 400, '`message` must be a string.'],
    [
      'an image that is no object',
      { message: 'Hi', image: 'x' },
      400,
      '`image` must be an object with data and media_type.',
    ],
    [
      'a message that is too long',
      { message: 'x'.repeat(1_001) },
      413,
      '`message` is longer than 1000 characters. Send it in parts.',
    ],
  ])('refuses %s with a sentence', async (_, body, status, message) => {
    const before = door.engine.prompts.length;
    const response = await door.post('/api/chat', body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { message } });
    expect(door.engine.prompts.length).toBe(before);
  });

  it('sends pings that clients do not see while nothing happens', async () => {
    const quiet = await startDoor({ pingMs: 20 });
    const held = gate();
    quiet.engine.scripts.set('think', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const lines = linesOf(await quiet.post('/api/chat', { message: 'think' }));
    for (const line of [': still here', '', ': still here', ''])
      expect((await lines.next()).value).toBe(line);
    held.open();
    expect((await collect(lines)).filter((line) => line.startsWith('event'))).toEqual([
      'event: chunk',
      'event: done',
    ]);
    await quiet.stop();
  });

  it('ends with an error that carries the last event id when the server stops', async () => {
    const closing = await startDoor();
    const held = gate();
    closing.engine.scripts.set('work', async function* () {
      yield { type: 'text.delta', text: 'first' };
      await held.opened;
    });
    const events = eventsOf(await closing.post('/api/chat', { message: 'work' }));
    const first = await events.next();
    const closed = closing.door.close();
    expect((await events.next()).value).toEqual({
      id: first.value?.id,
      event: 'error',
      data: {
        message: 'The server is stopping. When it is back, the history shows how much of the answer arrived.',
        recoverable: true,
      },
    });
    expect((await events.next()).done).toBe(true);
    await closed;
    held.open();
    await closing.stop();
  });
});

describe('a closing door', () => {
  it('does not wait for connections without a request', async () => {
    const closing = await startDoor();
    const { hostname, port } = new URL(closing.url);
    const silent = connect(Number(port), hostname);
    await once(silent, 'connect');
    await (await closing.fetch('/healthz')).text();
    const ended = once(silent, 'close');
    await closing.stop();
    expect(await ended).toEqual([false]);
  });
});

describe('an image in the chat', () => {
  it.each([
    ['JPEG', jpeg(20, 10)],
    ['PNG', png(20, 10)],
    ['GIF', gif(20, 10)],
    ['WebP', webp('extended', 20, 10)],
  ])('reaches the engine beside the text: %s [kitchen.chat.image-types]', async (_, image) => {
    const response = await chat('What is this?', { image });
    await response.text();
    const [turn] = await door.gateway.turns('sebastian', conversationOf(response));
    expect(turn?.prompt).toEqual([
      { type: 'image', mediaType: image.media_type, data: image.data },
      { type: 'text', text: 'What is this?' },
    ]);
  });

  it('may come without text', async () => {
    const response = await door.post('/api/chat', { image: png(2, 2) });
    expect(response.status).toBe(200);
    await response.text();
  });

  it('may be larger than other bodies, on this route only', async () => {
    const head = png(10, 10).data.replace(/=+$/, '');
    const image = { media_type: 'image/png', data: head.padEnd(4_000_000, 'A') };
    expect((await (await chat('Look', { image })).text()).includes('event: done')).toBe(true);
    expect((await door.post('/api/claude/chat', { message: 'x'.repeat(200_000) })).status).toBe(413);
  });

  it.each([
    [
      'of a kind that no model takes',
      { media_type: 'image/bmp', data: 'Qk0AAAAA' },
      'Send a JPEG, PNG, GIF or WebP.',
    ],
    ['declared as another kind', { ...png(2, 2), media_type: 'image/gif' }, 'but its bytes are image/png'],
    ['without its bytes', { media_type: 'image/png' }, 'An image needs `data`'],
    ['without its type', { data: png(2, 2).data }, 'An image needs a `media_type`, such as image/jpeg.'],
  ])(
    'is refused with 400 and a sentence when it is %s [kitchen.chat.image-types]',
    async (_, image, sentence) => {
      const before = door.engine.prompts.length;
      const response = await chat('Look', { image });
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        error: { code: 'invalid', message: expect.stringContaining(sentence) },
      });
      expect(door.engine.prompts.length).toBe(before);
    },
  );
});

describe('resuming a stream', () => {
  beforeAll(() => {
    door.engine.scripts.set('many events', async function* () {
      yield { type: 'text.delta', text: 'Let me look. ' };
      yield { type: 'thinking.delta', text: 'hm' };
      yield { type: 'tool.started', id: 't1', tool: 'list_recipes', input: {} };
      yield { type: 'tool.progress', id: 't1', tool: 'list_recipes', message: 'half' };
      yield { type: 'tool.ended', id: 't1', tool: 'list_recipes', outcome: 'finished' };
      yield { type: 'artifact', kind: 'recipe', id: 'r1' };
      yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Let me look. ' }] };
      yield { type: 'text.delta', text: 'There ' };
      yield { type: 'text.delta', text: 'it is.' };
    });
  });

  it.each([
    ['pixels', png(9_000, 2), 'Send one with at most 8000 pixels per side'],
    [
      'bytes',
      { media_type: 'image/png', data: 'A'.repeat(5 * 1024 * 1024 + 4) },
      'The image is larger than 3.75 MiB.',
    ],
    [
      'bytes, straight from a camera',
      { media_type: 'image/jpeg', data: 'A'.repeat(28_000_000) },
      'An image can be at most 3.75 MiB',
    ],
  ])(
    'is refused with 413 and the limit when it has too many %s [kitchen.chat.image-size]',
    async (_, image, text) => {
      const response = await chat('Look', { image });
      expect(response.status).toBe(413);
      expect(await response.json()).toEqual({
        error: { code: 'too_large', message: expect.stringContaining(text) as string },
      });
    },
  );

  it('sends each later event once, wherever the connection was lost [kitchen.sse.resume]', async () => {
    const response = await chat('many events');
    const id = conversationOf(response);
    const events = await all(response);
    expect(events.map(({ event }) => event)).toEqual(
      'chunk tool_use tool_use recipe_artifact chunk chunk done'.split(' '),
    );
    for (let seen = 0; seen <= (events.at(-1)?.id ?? 0); seen += 1) {
      const rest = events.filter((event) => event.id > seen);
      const resumed = await resume(id, seen);
      expect(resumed.status).toBe(rest.length === 0 ? 204 : 200);
      expect(await all(resumed)).toEqual(rest);
    }
  });

  it('works at every event of a running turn, with nothing missing or repeated [kitchen.sse.resume]', async () => {
    const whole = withoutIds(await all(await chat('many events')));
    expect(whole.pop()?.event).toBe('done');
    for (let cutAfter = 0; cutAfter <= whole.length; cutAfter += 1) {
      const held = gate();
      const prompt = `many events, cut after ${cutAfter}`;
      door.engine.scripts.set(prompt, async function* (turn) {
        let shown = 0;
        for await (const event of door.engine.scripts.get('many events')?.(turn) ?? []) {
          if (shown === cutAfter) await held.opened;
          yield event;
          if (['text.delta', 'tool.started', 'tool.ended', 'artifact'].includes(event.type)) shown += 1;
        }
      });
      const { response, leave } = await chatAndLeave(prompt);
      const id = conversationOf(response);
      const before: ReadEvent[] = [];
      const reading = eventsOf(response);
      while (before.length < cutAfter)
        before.push(...[(await reading.next()).value].filter((event) => !!event));
      leave();
      const resumed = await resume(id, before.at(-1)?.id);
      held.open();
      const done = { event: 'done', data: { tokens_used: 0, conversation_id: id } };
      expect(withoutIds([...before, ...(await all(resumed))])).toEqual([...whole, done]);
    }
  });

  it('sends the whole running turn if no event id is given', async () => {
    const held = heldTurn('held for a second tab');
    const first = await chat('held for a second tab');
    const conversation_id = conversationOf(first);
    const reading = eventsOf(first);
    await reading.next();
    const second = eventsOf(await resume(conversationOf(first)));
    expect((await second.next()).value).toMatchObject({ event: 'chunk', data: { text: 'first' } });
    held.open();
    const rest = await collect(reading);
    expect(withoutIds(rest)).toEqual([
      { event: 'chunk', data: { text: 'second' } },
      { event: 'done', data: { tokens_used: 0, conversation_id } },
    ]);
    expect(await collect(second)).toEqual(rest);
  });

  it('ends with its turn; resuming after that yields the next turn', async () => {
    const held = heldTurn('held with a queue');
    const first = await chat('held with a queue');
    const id = conversationOf(first);
    const second = await chat('waits', { conversation_id: id });
    const [chunk] = [await eventsOf(first).next()];
    const resumed = await resume(id, chunk?.value?.id);
    held.open();
    const rest = await all(resumed);
    expect(rest.map(({ event }) => event)).toEqual(['chunk', 'done']);
    const next = await all(await resume(id, rest.at(-1)?.id));
    expect(withoutIds(next)).toEqual([
      { event: 'chunk', data: { text: 'You said: waits' } },
      { event: 'done', data: { tokens_used: 0, conversation_id: id } },
    ]);
    expect(await all(second)).toEqual(next);
    expect((await resume(id, next.at(-1)?.id)).status).toBe(204);
  });

  it('answers 204 if nothing runs, so that browsers do not reconnect', async () => {
    const response = await chat('Hello');
    await response.text();
    const resumed = await resume(conversationOf(response));
    expect(resumed.status).toBe(204);
    expect(await resumed.text()).toBe('');
  });

  it.each([
    ['unknown', () => Promise.resolve(crypto.randomUUID())],
    ['no id', () => Promise.resolve('x')],
    [
      "another person's",
      async () => {
        const response = await chat('Hello', {}, { 'x-notes-person': 'petra' });
        await response.text();
        return conversationOf(response);
      },
    ],
  ])('is answered 404 for a conversation that is %s', async (_, id) => {
    const conversation = await id();
    for (const response of [
      await resume(conversation),
      await resume(conversation, 1),
      await stop(conversation),
    ]) {
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: { code: 'not_found', message: 'There is no such session.' },
      });
    }
  });

  it('is refused for an invalid number and for one that never existed', async () => {
    const response = await chat('Hello');
    await response.text();
    const id = conversationOf(response);
    const odd = await door.fetch(`/api/chat/${id}/events`, { headers: { 'last-event-id': 'abc' } });
    expect(odd.status).toBe(400);
    expect((await resume(id, 999)).status).toBe(410);
  });
});

describe('stopping', () => {
  it('does not happen when a connection closes [kitchen.chat.stop]', async () => {
    const held = heldTurn('left alone');
    const { response, leave } = await chatAndLeave('left alone');
    const id = conversationOf(response);
    await eventsOf(response).next();
    leave();
    await until(async () => (await openStreams()) === 0);
    expect((await door.gateway.state('sebastian', id)).running).toBeDefined();
    held.open();
    await until(async () => (await door.gateway.turns('sebastian', id))[0]?.status === 'completed');
  });

  it('happens through the stop endpoint, and every reader learns about it [kitchen.chat.stop]', async () => {
    heldTurn('to be stopped');
    const first = await chat('to be stopped');
    const id = conversationOf(first);
    const reading = eventsOf(first);
    await reading.next();
    const second = eventsOf(await resume(id));
    await second.next();
    const stopped = await stop(id);
    expect(stopped.status).toBe(200);
    expect(await stopped.json()).toEqual({ stopped: true });
    const end = [{ event: 'done', data: { tokens_used: 0, conversation_id: id, stopped: true } }];
    expect(withoutIds(await collect(reading))).toEqual(end);
    expect(withoutIds(await collect(second))).toEqual(end);
    expect(await (await stop(id)).json()).toEqual({ stopped: false });
    expect((await door.gateway.turns('sebastian', id))[0]?.status).toBe('interrupted');
  });
});

async function openStreams(): Promise<number> {
  const text = await (await door.fetch('/metrics')).text();
  return Number(/^parley_open_streams\{wire="sse"\} (\d+)$/m.exec(text)?.[1]);
}

/** A client that can disconnect abruptly. */
async function chatAndLeave(message: string): Promise<{ response: Response; leave: () => void }> {
  const leaving = new AbortController();
  const response = await door.fetch('/api/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
    signal: leaving.signal,
  });
  return { response, leave: () => leaving.abort() };
}
