// A session over REST: its details, its past in pages, and what clients may change.
import { setTimeout } from 'node:timers/promises';
import type { PastPage, SessionDetails } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeDoor, startCodeDoor } from './harness.ts';

let door: CodeDoor;

beforeAll(async () => {
  door = await startCodeDoor();
});

afterAll(() => door.stop());

async function get<Body>(path: string): Promise<Body> {
  const answer = await door.fetch(path);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Body;
}

async function prompt(id: string, message: string, fields = {}): Promise<Response> {
  return door.fetch(`/api/sessions/${id}/prompts`, { method: 'POST', body: { message, ...fields } });
}

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await setTimeout(5);
}

async function untilIdle(id: string): Promise<void> {
  await until(async () => {
    const { running, queue } = await door.gateway.state('sebastian', id);
    return running === undefined && queue.length === 0;
  });
}

describe('a Claude Code session over REST', () => {
  it('includes what only such a session has', async () => {
    const id = await door.newSession({ permissionMode: 'plan' });
    door.engine.todos.set(id, [{ text: 'Water', status: 'pending' }]);
    const { session, code, lastSeq } = await get<SessionDetails>(`/api/sessions/${id}`);
    expect(session).toMatchObject({ id, engine: 'claude-code' });
    expect(code).toMatchObject({
      view: { id, workingDir: '/work/garden', mode: 'ui' },
      todos: [{ text: 'Water', status: 'pending' }],
      permissionMode: 'plan',
    });
    expect(lastSeq).toBeGreaterThan(0);
  });

  it('opens a session that was started elsewhere', async () => {
    const id = door.sessions.startedElsewhere('sebastian');
    expect((await get<SessionDetails>(`/api/sessions/${id}`)).session.id).toBe(id);
  });

  it('pages through its transcript, and the live events continue it without a gap', async () => {
    const id = await door.newSession();
    await prompt(id, 'say 1');
    await untilIdle(id);
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    door.engine.gates.set('open', gate);
    await prompt(id, 'say 2 | gate open');
    await until(() => door.engine.transcriptOf(id).length === 4);
    const newest = await get<PastPage>(`/api/sessions/${id}/past?limit=1`);
    const older = await get<PastPage>(`/api/sessions/${id}/past?before=${newest.before}`);
    const lines = [...older.entries, ...newest.entries].map(
      ({ event }) => event.type === 'frame' && event.raw,
    );
    expect(lines).toEqual(door.engine.transcriptOf(id));
    expect(older.before).toBeNull();
    const [first] = await firstEvents(id, newest.after);
    expect(first).toBe('turn.started');
    open();
    await untilIdle(id);
  });

  it('adds a prompt to the running turn if the engine accepts it', async () => {
    const id = await door.newSession();
    await prompt(id, 'wait');
    const steered = await prompt(id, 'also this', { steer: true });
    expect(await steered.json()).toEqual({ turnId: null, steered: true });
    const waiting = await prompt(id, 'not now', { steer: true });
    expect(await waiting.json()).toMatchObject({ turnId: expect.any(String), after: expect.any(Number) });
    await door.fetch(`/api/sessions/${id}/interrupt`, { method: 'POST' });
    await untilIdle(id);
  });

  it('accepts the models and permission modes that its program knows', async () => {
    const id = await door.newSession();
    const change = (body: object) => door.fetch(`/api/sessions/${id}`, { method: 'PATCH', body });
    expect((await change({ model: 'opus', permissionMode: 'plan' })).status).toBe(200);
    expect(door.engine.configured.at(-1)).toMatchObject({ model: 'opus', permissionMode: 'plan' });
    expect((await change({ model: 'unknown' })).status).toBe(400);
  });

  it('is renamed and deleted as a whole', async () => {
    const id = await door.newSession();
    await door.fetch(`/api/sessions/${id}`, { method: 'PATCH', body: { title: 'Beds' } });
    expect((await door.sessions.get('sebastian', id)).title).toBe('Beds');
    expect((await door.fetch(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await door.fetch(`/api/claude/sessions/${id}`)).status).toBe(404);
  });
});

async function firstEvents(id: string, after: number): Promise<string[]> {
  for await (const { event } of door.gateway.subscribe('sebastian', id, { after })) return [event.type];
  return [];
}
