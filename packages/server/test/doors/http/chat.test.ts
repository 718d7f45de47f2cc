// The JSON endpoints of the notes assistant: chat, history, clear. Bodies are pinned as literals.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bodyOf, type DoorHarness, gate, startDoor, until } from './door-harness.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const unknownId = '00000000-0000-4000-8000-000000000000';

describe('the notes endpoints', () => {
  let door: DoorHarness;
  beforeAll(async () => {
    door = await startDoor();
  });
  afterAll(() => door.stop());

  const chat = async (message: string, fields: object = {}, headers: Record<string, string> = {}) => {
    const response = await door.post('/api/claude/chat', { message, ...fields }, headers);
    return { status: response.status, headers: response.headers, body: await bodyOf(response) };
  };
  const history = async (id: string, headers: Record<string, string> = {}) => {
    const response = await door.fetch(`/api/claude/history?session_id=${id}`, { headers });
    return { status: response.status, body: await bodyOf(response) };
  };

  it('answer a message with the whole response and its history [notes.chat.response] [notes.session.create]', async () => {
    const { status, headers, body } = await chat('Hello');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(body).toEqual({
      success: true,
      session_id: expect.stringMatching(uuid),
      response: 'You said: Hello',
      history: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'You said: Hello' },
      ],
    });
    expect(headers.get('x-session-id')).toBe(body.session_id);
  });

  it('continue the named session [notes.session.continue] [notes.chat.history-grows]', async () => {
    const { body: first } = await chat('one');
    const { body: second } = await chat('two', { session_id: first.session_id });
    expect(second).toEqual({
      success: true,
      session_id: first.session_id,
      response: 'You said: two',
      history: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'You said: one' },
        { role: 'user', content: 'two' },
        { role: 'assistant', content: 'You said: two' },
      ],
    });
  });

  it.each([unknownId, 'abc-123', '', null])(
    'start a new session for the id %j that nobody has [notes.session.unknown-id-starts-new]',
    async (sessionId) => {
      const { status, body } = await chat('Hello', { session_id: sessionId });
      expect(status).toBe(200);
      expect(body.session_id).toMatch(uuid);
      expect(body.session_id).not.toBe(sessionId);
      expect(body.history).toHaveLength(2);
    },
  );

  it("start a new session for another person's id, just as for an unknown one [notes.session.foreign-id-starts-new]", async () => {
    const { body: mine } = await chat('a secret of Sebastian');
    const { status, body } = await chat(
      'Hello',
      { session_id: mine.session_id },
      { 'x-notes-person': 'petra' },
    );
    expect(status).toBe(200);
    expect(body.session_id).not.toBe(mine.session_id);
    expect(body.history).toEqual([
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'You said: Hello' },
    ]);
    expect((await history(mine.session_id)).body.history).toHaveLength(2);
  });

  it('list messages in order [notes.session.history]', async () => {
    const { body } = await chat('one');
    await chat('two', { session_id: body.session_id });
    expect(await history(body.session_id)).toEqual({
      status: 200,
      body: {
        success: true,
        history: [
          { role: 'user', content: 'one' },
          { role: 'assistant', content: 'You said: one' },
          { role: 'user', content: 'two' },
          { role: 'assistant', content: 'You said: two' },
        ],
      },
    });
  });

  it.each([unknownId, 'abc-123'])(
    'find no history for the unknown id %s [notes.session.history-unknown]',
    async (id) => {
      expect(await history(id)).toEqual({
        status: 200,
        body: { success: false, message: 'Session not found', history: [] },
      });
    },
  );

  it("answer the same for another person's history as for an unknown one [notes.session.foreign-history-hidden]", async () => {
    const { body } = await chat('a secret of Sebastian');
    expect(await history(body.session_id, { 'x-notes-person': 'petra' })).toEqual(await history(unknownId));
  });

  it('delete a session with its history [notes.session.clear]', async () => {
    const { body } = await chat('Hello');
    const cleared = await door.post('/api/claude/clear', { session_id: body.session_id });
    expect(cleared.status).toBe(200);
    expect(await cleared.json()).toEqual({ success: true, message: 'Session cleared' });
    expect((await history(body.session_id)).body.success).toBe(false);
  });

  it('report that there was nothing to clear [notes.session.clear-unknown]', async () => {
    const response = await door.post('/api/claude/clear', { session_id: unknownId });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: false, message: 'Session not found', history: [] });
  });

  it("leave another person's session intact [notes.session.foreign-clear-refused]", async () => {
    const { body } = await chat('Hello');
    const response = await door.post(
      '/api/claude/clear',
      { session_id: body.session_id },
      { 'x-notes-person': 'petra' },
    );
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ success: false, message: 'Session not found', history: [] });
    expect((await history(body.session_id)).body.history).toHaveLength(2);
  });

  it('explain a failed turn, with a fitting status [notes.chat.failure]', async () => {
    door.engine.scripts.set('fail', async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'The model is overloaded.', recoverable: true };
    });
    const { status, headers, body } = await chat('fail');
    expect(status).toBe(503);
    expect(body).toEqual({
      success: false,
      message: 'The model is overloaded.',
      response: '',
      history: [],
      detail: 'The model is overloaded.',
    });
    expect(headers.get('x-session-id')).toMatch(uuid);
  });

  it('show a message that was sent again after a failure once [notes.chat.retry]', async () => {
    let tries = 0;
    door.engine.scripts.set('flaky', async function* () {
      tries += 1;
      if (tries < 3) {
        yield { type: 'text.delta', text: 'half' };
        yield { type: 'failed', code: 'unavailable', message: 'Overloaded.', recoverable: true };
      } else yield { type: 'text.delta', text: 'whole' };
    });
    const session_id = (await chat('flaky')).headers.get('x-session-id') ?? '';
    await chat('flaky', { session_id });
    const { body } = await chat('flaky', { session_id });
    const once = [
      { role: 'user', content: 'flaky' },
      { role: 'assistant', content: 'whole' },
    ];
    expect(body.history).toEqual(once);
    await chat('flaky', { session_id });
    expect((await history(session_id)).body.history).toEqual([...once, ...once]);
  });

  it('keep the message of a failed turn in the history', async () => {
    door.engine.scripts.set('fail at once', async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'The model is overloaded.', recoverable: true };
    });
    door.engine.scripts.set('fail halfway', async function* () {
      yield { type: 'text.delta', text: 'so far' };
      yield { type: 'failed', code: 'unavailable', message: 'The model is overloaded.', recoverable: true };
    });
    const { headers } = await chat('fail at once');
    const session_id = headers.get('x-session-id') ?? '';
    expect((await history(session_id)).body).toEqual({
      success: true,
      history: [{ role: 'user', content: 'fail at once' }],
    });
    await chat('fail halfway', { session_id });
    const { body } = await chat('next', { session_id });
    const whole = [
      { role: 'user', content: 'fail at once' },
      { role: 'user', content: 'fail halfway' },
      { role: 'assistant', content: 'so far' },
      { role: 'user', content: 'next' },
      { role: 'assistant', content: 'You said: next' },
    ];
    expect(body.history).toEqual(whole);
    expect((await history(session_id)).body.history).toEqual(whole);
  });

  it('keep the details of a bug out of the answer', async () => {
    door.engine.scripts.set('defect', async function* () {
      yield { type: 'text.delta', text: 'so far' };
      throw new Error('a path and a secret');
    });
    const { status, body } = await chat('defect');
    expect(status).toBe(500);
    expect(body).toEqual({
      success: false,
      message: 'Something went wrong inside Parley. The server log has the details.',
      response: '',
      history: [],
      detail: 'Something went wrong inside Parley. The server log has the details.',
    });
  });

  it('report a turn that was interrupted from elsewhere', async () => {
    door.engine.scripts.set('long', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'so far' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const before = door.engine.prompts.length;
    const answer = chat('long');
    await until(() => door.engine.prompts.length > before);
    const [session] = (await door.gateway.listSessions('sebastian', { limit: 1 })).sessions;
    await door.gateway.interrupt('sebastian', session?.id ?? '');
    const { status, body } = await answer;
    expect(status).toBe(409);
    expect(body.message).toBe('The turn was interrupted before it was complete.');
  });

  it('answer a repeated Idempotency-Key with the first answer', async () => {
    const before = door.engine.prompts.length;
    const first = await chat('once', {}, { 'idempotency-key': 'key-1' });
    const again = await chat('once', {}, { 'idempotency-key': 'key-1' });
    expect(again.body).toEqual(first.body);
    expect(door.engine.prompts.length - before).toBe(1);
  });

  it('answer waiting messages in order, each with the history up to it', async () => {
    const { body } = await chat('start');
    const held = gate();
    door.engine.scripts.set('first', async function* () {
      await held.opened;
      yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'first answer' }] };
    });
    const first = chat('first', { session_id: body.session_id });
    await until(async () => (await door.gateway.state('sebastian', body.session_id)).running !== undefined);
    const second = chat('second', { session_id: body.session_id });
    await until(async () => (await door.gateway.state('sebastian', body.session_id)).queue.length === 1);
    held.open();
    expect((await first).body.history).toHaveLength(4);
    expect((await second).body.history).toHaveLength(6);
  });

  it('report that a waiting message was withdrawn from elsewhere', async () => {
    const { body } = await chat('start');
    const held = gate();
    door.engine.scripts.set('hold', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const first = chat('hold', { session_id: body.session_id });
    await until(async () => (await door.gateway.state('sebastian', body.session_id)).running !== undefined);
    const second = chat('second', { session_id: body.session_id });
    const queue = async () => (await door.gateway.state('sebastian', body.session_id)).queue;
    await until(async () => (await queue()).length === 1);
    const [waiting] = await queue();
    await door.gateway.withdraw('sebastian', body.session_id, waiting?.turnId ?? '');
    const { status, body: answer } = await second;
    expect(status).toBe(409);
    expect(answer.message).toBe('The message was withdrawn before it was answered.');
    held.open();
    expect((await first).status).toBe(200);
  });
});

describe('a session whose queue is full', () => {
  it('refuses the next message with an explanation', async () => {
    const door = await startDoor({ queue: 1 });
    const held = gate();
    door.engine.scripts.set('hold', async function* () {
      await held.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const { session_id } = await bodyOf(await door.post('/api/claude/chat', { message: 'start' }));
    const state = () => door.gateway.state('sebastian', session_id);
    const running = door.post('/api/claude/chat', { message: 'hold', session_id });
    await until(async () => (await state()).running !== undefined);
    const waiting = door.post('/api/claude/chat', { message: 'waits', session_id });
    await until(async () => (await state()).queue.length === 1);

    const refused = await door.post('/api/claude/chat', { message: 'too many', session_id });
    expect(refused.status).toBe(429);
    expect(await refused.json()).toEqual({
      success: false,
      message: 'This session already has 1 prompts waiting. Wait for some to be answered.',
      response: '',
      history: [],
      detail: 'This session already has 1 prompts waiting. Wait for some to be answered.',
    });

    held.open();
    await Promise.all([running, waiting]);
    await door.stop();
  });
});
