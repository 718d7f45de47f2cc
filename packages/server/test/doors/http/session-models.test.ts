// The model of a conversation: chosen at the start or later, from the available ones.
import type { Session } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DoorHarness, startDoor } from './door-harness.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor();
});
afterAll(() => door.stop());

const change = (id: string, body: object) =>
  door.fetch(`/api/sessions/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('the model of a conversation', () => {
  it('must be one that the server offers', async () => {
    const { models } = (await (await door.fetch('/api/assistants')).json()) as { models: string[] };
    expect(models).toEqual(['claude-first', 'claude-second']);
    const created = await door.post('/api/sessions', { assistant: 'notes', model: 'claude-second' });
    expect(created.status).toBe(201);
    expect(await created.json()).toMatchObject({ settings: { model: 'claude-second' } });
    const refused = await door.post('/api/sessions', { assistant: 'notes', model: 'gpt' });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: {
        code: 'invalid',
        message: 'There is no such model here. Choose from: claude-first, claude-second.',
      },
    });
  });

  it('can be changed later, and the title stays', async () => {
    const created = await door.post('/api/sessions', { assistant: 'notes', title: 'Garden' });
    const { id } = (await created.json()) as Session;
    expect((await change(id, { model: 'gpt' })).status).toBe(400);
    expect(await (await change(id, { model: 'claude-second' })).json()).toMatchObject({
      title: 'Garden',
      settings: { model: 'claude-second' },
    });
    expect(await (await change(id, { title: 'Roses' })).json()).toMatchObject({
      title: 'Roses',
      settings: { model: 'claude-second' },
    });
  });
});
