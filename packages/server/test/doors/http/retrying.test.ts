// What a program needs for retries: when to retry, and that a key belongs to one message.
import type { Session } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DoorHarness, startDoor } from './door-harness.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor({ queue: 1 });
});
afterAll(() => door.stop());

describe('an Idempotency-Key', () => {
  it.each(['/api/claude/chat', '/api/claude/chat-stream', '/api/chat'])(
    'that was used with another message is refused by %s',
    async (path) => {
      const headers = { 'idempotency-key': `key of ${path}`.replaceAll(' ', '-') };
      const first = await (await door.post(path, { message: 'eggs' }, headers)).text();
      expect(await (await door.post(path, { message: 'eggs' }, headers)).text()).toBe(first);
      const before = door.engine.prompts.length;
      const refused = await door.post(path, { message: 'milk' }, headers);
      expect(refused.status).toBe(409);
      expect(await refused.text()).toContain('This key was already used for another message. Use a new one.');
      expect(door.engine.prompts.length).toBe(before);
    },
  );

  it('is refused for prompts if it was used with another message', async () => {
    const { id } = await begin();
    const send = (message: string) =>
      door.post(`/api/sessions/${id}/prompts`, { message }, { 'idempotency-key': 'once' });
    const first = await (await send('eggs')).json();
    expect(await (await send('eggs')).json()).toEqual(first);
    expect((await send('milk')).status).toBe(409);
  });
});

describe('a passing failure', () => {
  const fail = {
    type: 'failed',
    code: 'rate_limited',
    message: 'Send the message again in 90 seconds.',
    recoverable: true,
    retryAfterSeconds: 90,
  } as const;

  it('says in Retry-After what its message says [notes.door.retry-after]', async () => {
    door.engine.scripts.set('limited', async function* () {
      yield fail;
    });
    const limited = await door.post('/api/claude/chat', { message: 'limited' });
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toBe('90');

    door.engine.scripts.set('overloaded', async function* () {
      yield { ...fail, code: 'unavailable' };
    });
    const overloaded = await door.post('/api/claude/chat', { message: 'overloaded' });
    expect(overloaded.status).toBe(503);
    expect(overloaded.headers.get('retry-after')).toBe('90');
  });

  it.each(['/api/claude/chat', '/api/claude/chat-stream', '/api/chat'])(
    'does not use up the Idempotency-Key of %s [notes.door.retry-key]',
    async (path) => {
      const message = `fails once at ${path}`;
      const headers = { 'idempotency-key': `retried-${path}` };
      door.engine.scripts.set(message, async function* () {
        yield { type: 'text.delta', text: 'so far' };
        yield fail;
      });
      expect(await (await door.post(path, { message }, headers)).text()).toContain(fail.message);

      door.engine.scripts.delete(message);
      const answer = await (await door.post(path, { message }, headers)).text();
      expect(answer).toContain(`You said: ${message}`);
      expect(answer).not.toContain(fail.message);
      // From now on, the key belongs to this answer.
      await (await door.post(path, { message }, headers)).text();
      expect(door.engine.prompts.filter((prompt) => prompt === message)).toHaveLength(2);
    },
  );

  it.each([
    ['a tool has run', { ...fail }, true],
    ['trying again cannot help', { ...fail, recoverable: false }, false],
  ])('keeps the Idempotency-Key when %s [notes.door.retry-key]', async (name, failure, withTool) => {
    const headers = { 'idempotency-key': name.replaceAll(' ', '-') };
    door.engine.scripts.set(name, async function* () {
      if (withTool) yield { type: 'tool.started', id: 't', tool: 'linkedin_post', input: {} };
      yield failure;
    });
    const first = await door.post('/api/claude/chat', { message: name }, headers);
    const again = await door.post('/api/claude/chat', { message: name }, headers);
    expect(await again.json()).toEqual(await first.json());
    expect(door.engine.prompts.filter((prompt) => prompt === name)).toHaveLength(1);
  });
});

describe('a passing failure of a prompt that people watch', () => {
  it('keeps its Idempotency-Key, because they retry themselves [notes.door.retry-key]', async () => {
    const message = 'fails while somebody watches';
    door.engine.scripts.set(message, async function* () {
      yield { type: 'failed', code: 'unavailable', message: 'Out.', recoverable: true };
    });
    const { id } = (await (await door.post('/api/sessions', { assistant: 'notes' })).json()) as {
      id: string;
    };
    const send = async () => {
      const answer = await door.post(
        `/api/sessions/${id}/prompts`,
        { message },
        { 'idempotency-key': 'watched' },
      );
      return (await answer.json()) as { turnId: string };
    };
    const { turnId } = await send();
    await expect
      .poll(
        async () =>
          ((await (await door.fetch(`/api/sessions/${id}`)).json()) as { running: unknown }).running,
      )
      .toBe(null);
    expect((await send()).turnId).toBe(turnId);
    expect(door.engine.prompts.filter((prompt) => prompt === message)).toHaveLength(1);
  });
});

describe('a full queue', () => {
  it('says when to try again', async () => {
    door.engine.scripts.set('long', async function* ({ signal }) {
      await new Promise((stopped) => signal.addEventListener('abort', stopped));
      yield { type: 'text.delta', text: 'stopped' };
    });
    const { id } = await begin();
    const send = () => door.post(`/api/sessions/${id}/prompts`, { message: 'long' });
    expect([(await send()).status, (await send()).status]).toEqual([202, 202]);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(await refused.json()).toMatchObject({ error: { code: 'busy' } });
    await door.gateway.deleteSession('sebastian', id);
  });
});

describe('a number in an address', () => {
  it.each([
    ['limit=many', '`limit`: must be a number from 1 to 200.'],
    ['limit=0', '`limit`: must be a number from 1 to 200.'],
  ])('that is not a number, as in %s, is refused in words', async (query, message) => {
    const refused = await door.fetch(`/api/sessions?${query}`);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({ error: { code: 'invalid', message } });
  });

  it('that is not an event number is refused with an explanation', async () => {
    const { id } = await begin();
    expect(await (await door.fetch(`/api/sessions/${id}/events?after=x`)).json()).toEqual({
      error: { code: 'invalid', message: '`after`: must be the number of an event.' },
    });
  });
});

async function begin(): Promise<Session> {
  return (await (await door.post('/api/sessions', { assistant: 'notes' })).json()) as Session;
}
