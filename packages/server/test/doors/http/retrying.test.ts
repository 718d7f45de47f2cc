// What a program needs for retries: when to retry, and that a key stands for one message.
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
  ])('that is none, as in %s, is refused in words', async (query, message) => {
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
