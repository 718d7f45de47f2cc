// Conversations as the web app shows them: list, history, current state, ownership.
import { type ChannelStatus, type Envelope, say } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { png } from '../../support/images.ts';
import { type DoorHarness, gate, soup, startDoor, until } from './door-harness.ts';
import { eventsOf } from './sse.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor();
});
afterAll(() => door.stop());

const asked = async (method: string, path: string, body?: object, person = 'sebastian') => {
  const response = await door.fetch(path, {
    method,
    headers: { 'x-notes-person': person, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  };
};
const begin = async (assistant = 'notes', person = 'sebastian'): Promise<string> =>
  (await asked('POST', '/api/sessions', { assistant }, person)).body.id;
const prompt = (id: string, message: string, fields: object = {}) =>
  asked('POST', `/api/sessions/${id}/prompts`, { message, ...fields });
const finished = (id: string, count = 1) =>
  until(async () => {
    const turns = await door.gateway.turns('sebastian', id);
    // The end is published a moment after it is stored.
    const { running } = await door.gateway.state('sebastian', id);
    return running === undefined && turns.filter(({ status }) => status !== 'running').length === count;
  });

describe('a session', () => {
  it('records whether a prompt came from a browser or from a program', async () => {
    const id = await begin();
    const path = `/api/sessions/${id}/prompts`;
    await door.post(path, { message: 'Hello' });
    await finished(id);
    await door.post(path, { message: 'Hello' }, { origin: door.url });
    await finished(id, 2);
    const turns = await door.gateway.turns('sebastian', id);
    expect(turns.map((turn) => turn.door)).toEqual(['programs', 'browser']);
  });

  it('starts with any assistant and answers prompts with numbered events', async () => {
    const created = await asked('POST', '/api/sessions', { assistant: 'kitchen', title: 'Dinner\0' });
    expect(created.status).toBe(201);
    expect(created.body).toMatchObject({ assistant: 'kitchen', engine: 'messages-api', title: 'Dinner' });
    const { id } = created.body;

    const events = eventsOf(await door.fetch(`/api/sessions/${id}/events?after=0`));
    const admitted = await prompt(id, 'Hello');
    expect(admitted).toMatchObject({
      status: 202,
      body: { after: 0, turnId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
    const seen: Envelope[] = [];
    for await (const { id: number, event, data } of events) {
      expect(event).toBe('message');
      const envelope = data as unknown as Envelope;
      expect(envelope.seq).toBe(number);
      seen.push(envelope);
      if (envelope.event.type === 'turn.ended') break;
    }
    expect(seen.map(({ event }) => event.type)).toEqual(
      'turn.started message text.delta message turn.ended'.split(' '),
    );
    expect(seen.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    expect(seen.every(({ turnId }) => turnId === admitted.body.turnId)).toBe(true);

    const again = eventsOf(
      await door.fetch(`/api/sessions/${id}/events`, { headers: { 'last-event-id': '3' } }),
    );
    expect([(await again.next()).value?.id, (await again.next()).value?.id]).toEqual([4, 5]);
    await again.return();
  });

  it('sends only new events if no number is given', async () => {
    const id = await begin();
    await prompt(id, 'Hello');
    await finished(id);
    const events = eventsOf(await door.fetch(`/api/sessions/${id}/events`));
    const next = events.next();
    await prompt(id, 'Again');
    expect((await next).value?.data).toMatchObject({
      event: { type: 'turn.started', prompt: [{ text: 'Again' }] },
    });
    await events.return();
  });

  it('shows its history with usage and cost, without image bytes', async () => {
    door.engine.scripts.set('costly', async function* () {
      const usage = {
        inputTokens: 10,
        outputTokens: 5,
        cacheReadTokens: 3,
        cacheWriteTokens: 2,
        costUsd: 0.25,
      };
      yield { type: 'usage', model: 'scripted', usage };
      yield { type: 'text.delta', text: 'done' };
    });
    const id = await begin();
    const image = png(3, 2);
    const { body: first } = await prompt(id, 'costly', { image });
    await prompt(id, 'costly');
    await finished(id, 2);
    const { status, body } = await asked('GET', `/api/sessions/${id}`);
    expect(status).toBe(200);
    expect(body.turns).toMatchObject([
      {
        id: first.turnId,
        status: 'completed',
        prompt: { text: 'costly', images: ['image/png'] },
        text: 'done',
        usage: { outputTokens: 5, costUsd: 0.25 },
      },
      { prompt: { text: 'costly', images: [] } },
    ]);
    expect(body.usage).toMatchObject({ inputTokens: 20, costUsd: 0.5 });
    expect(body).toMatchObject({
      session: { id, title: 'costly' },
      running: null,
      queue: [],
      permissions: [],
    });
    expect(body.lastSeq).toBeGreaterThan(0);
    expect(JSON.stringify(body)).not.toContain(image.data);

    const picture = await door.fetch(`/api/sessions/${id}/turns/${first.turnId}/images/0`);
    expect(picture.headers.get('content-type')).toBe('image/png');
    expect(picture.headers.get('x-content-type-options')).toBe('nosniff');
    expect(Buffer.from(await picture.arrayBuffer()).toString('base64')).toBe(image.data);
    expect((await asked('GET', `/api/sessions/${id}/turns/${first.turnId}/images/1`)).status).toBe(404);
  });

  it('can be renamed and deleted', async () => {
    const id = await begin();
    expect(await asked('PATCH', `/api/sessions/${id}`, { title: '  Sunday\u202E ' })).toMatchObject({
      status: 200,
      body: { id, title: 'Sunday' },
    });
    expect((await asked('PATCH', `/api/sessions/${id}`, { title: ' ' })).status).toBe(400);
    expect(await asked('DELETE', `/api/sessions/${id}`)).toMatchObject({ status: 204 });
    expect((await asked('GET', `/api/sessions/${id}`)).status).toBe(404);
  });

  it('needs an existing assistant', async () => {
    expect(await asked('POST', '/api/sessions', { assistant: 'nobody' })).toMatchObject({
      status: 400,
      body: { error: { message: 'There is no such assistant here. Choose from: notes, kitchen.' } },
    });
    expect((await asked('GET', '/api/assistants')).body).toEqual({
      models: ['claude-first', 'claude-second'],
      assistants: [
        { name: 'notes', label: 'Notes', engine: 'messages-api' },
        { name: 'kitchen', label: 'Kitchen', engine: 'messages-api' },
      ],
    });
  });
});

describe('the list of sessions', () => {
  it("is paged, newest first, and shows only the person's own", async () => {
    const own = await startDoor();
    const list = async (query: string, person = 'sebastian') => {
      const response = await own.fetch(`/api/sessions${query}`, { headers: { 'x-notes-person': person } });
      return (await response.json()) as { sessions: { id: string }[]; nextCursor?: string };
    };
    const ids: string[] = [];
    for (const title of ['one', 'two', 'three']) {
      const response = await own.post('/api/sessions', { assistant: 'notes', title });
      ids.unshift(((await response.json()) as { id: string }).id);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    const first = await list('?limit=2');
    expect(first.sessions.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const second = await list(`?limit=2&cursor=${first.nextCursor}`);
    expect(second.sessions.map(({ id }) => id)).toEqual(ids.slice(2));
    expect(second.nextCursor).toBeUndefined();
    expect((await list('', 'petra')).sessions).toEqual([]);
    expect((await own.fetch('/api/sessions?cursor=abc')).status).toBe(400);
    expect((await own.fetch('/api/sessions?limit=0')).status).toBe(400);
    await own.stop();
  });

  it('finds sessions by text, each once, with the matching passages', async () => {
    const id = await begin();
    await prompt(id, 'Where did I put the rhubarb?');
    await prompt(id, 'The rhubarb jam, I mean');
    await finished(id, 2);
    const { body } = await asked('GET', '/api/sessions?q=rhubarb');
    expect(body.sessions).toHaveLength(1);
    expect(body.sessions[0]).toMatchObject({ id });
    expect(body.sessions[0].hits.length).toBeGreaterThan(1);
    expect(body.sessions[0].hits[0].snippet).toContain('rhubarb');
    expect((await asked('GET', '/api/sessions?q=rhubarb', undefined, 'petra')).body).toEqual({
      sessions: [],
    });
    expect((await asked('GET', '/api/sessions?q=%22%28*')).body).toEqual({ sessions: [] });
  });
});

describe('a session at work', () => {
  const hold = (name: string) => {
    const held = gate();
    door.engine.scripts.set(name, async function* ({ signal }) {
      await Promise.race([held.opened, new Promise((done) => signal.addEventListener('abort', done))]);
      yield { type: 'text.delta', text: 'done' };
    });
    return held;
  };

  it('shows its queue, which can be reordered and withdrawn', async () => {
    const held = hold('busy');
    const id = await begin();
    await prompt(id, 'busy');
    const [a, b, c] = [
      (await prompt(id, 'a')).body,
      (await prompt(id, 'b')).body,
      (await prompt(id, 'c')).body,
    ];
    const waiting = async () =>
      (await asked('GET', `/api/sessions/${id}/queue`)).body.prompts.map(
        (one: { prompt: { text: string } }) => one.prompt.text,
      );
    expect(await waiting()).toEqual(['a', 'b', 'c']);
    const reordered = await asked('PUT', `/api/sessions/${id}/queue`, { order: [c.turnId, a.turnId] });
    expect(reordered.body.prompts.map((one: { prompt: { text: string } }) => one.prompt.text)).toEqual([
      'c',
      'a',
      'b',
    ]);
    expect((await asked('DELETE', `/api/sessions/${id}/queue/${b.turnId}`)).status).toBe(204);
    expect((await asked('DELETE', `/api/sessions/${id}/queue/${b.turnId}`)).status).toBe(404);
    expect((await asked('DELETE', `/api/sessions/${id}/queue/x`)).status).toBe(404);
    expect(await waiting()).toEqual(['c', 'a']);
    held.open();
    await finished(id, 3);
    const { body } = await asked('GET', `/api/sessions/${id}`);
    expect(body.turns.map((turn: { prompt: { text: string } }) => turn.prompt.text)).toEqual([
      'busy',
      'c',
      'a',
    ]);
  });

  it('can be interrupted', async () => {
    hold('long');
    const id = await begin();
    await prompt(id, 'long');
    await until(async () => (await asked('GET', `/api/sessions/${id}`)).body.running !== null);
    expect((await asked('POST', `/api/sessions/${id}/interrupt`)).body).toEqual({ interrupted: true });
    expect((await asked('POST', `/api/sessions/${id}/interrupt`)).body).toEqual({ interrupted: false });
    expect((await asked('GET', `/api/sessions/${id}`)).body.turns[0].status).toBe('interrupted');
  });

  it.each([
    ['allowed', { behavior: 'allow' }, { behavior: 'allow', scope: 'once' }],
    [
      'allowed for the session',
      { behavior: 'allow', scope: 'session' },
      { behavior: 'allow', scope: 'session' },
    ],
    [
      'allowed with other input',
      { behavior: 'allow', updatedInput: { x: 1 } },
      { behavior: 'allow', scope: 'once', updatedInput: { x: 1 } },
    ],
    ['denied', { behavior: 'deny', message: 'No.' }, { behavior: 'deny', message: 'No.' }],
  ])('asks for a permission, which is %s, once', async (_, answer, decision) => {
    const decided: unknown[] = [];
    door.engine.scripts.set('may I', async function* (turn) {
      decided.push(await turn.askPermission({ tool: `tool ${Math.random()}`, input: {} }));
      yield { type: 'text.delta', text: 'done' };
    });
    const id = await begin();
    await prompt(id, 'may I');
    const open = async () => (await asked('GET', `/api/sessions/${id}`)).body.permissions;
    await until(async () => (await open()).length === 1);
    const [permission] = await open();
    const path = `/api/sessions/${id}/permissions/${permission.id}`;
    expect((await asked('POST', path, { behavior: 'maybe' })).status).toBe(400);
    expect((await asked('POST', path, answer, 'petra')).status).toBe(404);
    expect(await asked('POST', path, answer)).toMatchObject({ status: 200, body: { settled: true } });
    expect((await asked('POST', path, answer)).status).toBe(404);
    await finished(id);
    expect(decided).toEqual([decision]);
  });
});

describe('what belongs to one person', () => {
  it('does not exist for another: every path with an id answers 404', async () => {
    const id = await begin('notes', 'petra');
    const admitted = await asked(
      'POST',
      `/api/sessions/${id}/prompts`,
      { message: 'Hi', image: png(1, 1) },
      'petra',
    );
    const bodies: Readonly<Record<string, object>> = {
      'PATCH /api/sessions/:id': { title: 'Mine now' },
      'POST /api/sessions/:id/prompts': { message: 'Hi' },
      'POST /api/sessions/:id/branches': { before: admitted.body.turnId, message: 'Hi' },
      'POST /api/sessions/:id/forks': {},
      'PUT /api/sessions/:id/queue': { order: [] },
      'POST /api/sessions/:id/links': {},
      'PUT /api/sessions/:id/shares': { with: 'petra', level: 'read' },
      'POST /api/sessions/:id/permissions/:permissionId': { behavior: 'allow' },
    };
    const guarded = door.door.routes.filter(
      ({ method, path }) => method !== 'HEAD' && /^\/api\/(sessions\/:id|chat\/:conversation_id)/.test(path),
    );
    expect(guarded.length).toBeGreaterThanOrEqual(13);
    for (const { method, path } of guarded) {
      const address = path
        .replace(/:id|:conversation_id/, id)
        .replace(':turnId', admitted.body.turnId)
        .replace(':permissionId', crypto.randomUUID())
        .replace(':index', '0')
        .replace(':with', 'petra')
        .replace(/find$/, 'find?q=Hi');
      const { status } = await asked(method, address, bodies[`${method} ${path}`]);
      expect({ route: `${method} ${path}`, status }).toEqual({ route: `${method} ${path}`, status: 404 });
    }
    const theirs = await asked('GET', `/api/sessions/${id}`, undefined, 'petra');
    expect(theirs.body).toMatchObject({ session: { id }, turns: [{ prompt: { text: 'Hi' } }] });
  });
});

describe('recipes', () => {
  it('are listed completely [kitchen.recipes.list]', async () => {
    expect(await asked('GET', '/api/recipes')).toMatchObject({ status: 200, body: [soup] });
  });

  it('are returned one by one in the pinned form [kitchen.recipes.get]', async () => {
    const response = await door.fetch(`/api/recipes/${soup.id}`);
    expect(await response.text()).toBe(
      '{"id":"8f14e45f-ceea-4e7a-9c5b-1d2f3a4b5c6d","title":"Tomato Soup","description":"For cold days.",' +
        '"prep_time_minutes":10,"cook_time_minutes":25,"servings":4,"difficulty":"easy",' +
        '"ingredients":[{"position":1,"name":"tomatoes","quantity":1,"unit":"kg","notes":null}],' +
        '"steps":[{"position":1,"instruction":"Cook.","duration_minutes":25,"temperature_celsius":null}],' +
        '"created_at":"2026-01-01T00:00:00.000Z","updated_at":"2026-01-02T00:00:00.000Z"}',
    );
  });

  it.each([crypto.randomUUID(), 'x', '..%2f..'])(
    'answer 404 with an error for %s [kitchen.recipes.not-found]',
    async (id) => {
      expect(await asked('GET', `/api/recipes/${id}`)).toMatchObject({
        status: 404,
        body: { error: { code: 'not_found', message: 'Recipe not found.' } },
      });
    },
  );
});

describe('GET /api/mcp', () => {
  it('reports the state of the MCP servers', async () => {
    const own = await startDoor({
      toolHealth: {
        status: () => [
          {
            name: 'recipes',
            state: 'ready',
            tools: ['list_recipes'],
            lastError: undefined,
            restarts: 0,
            nextTryAt: undefined,
          },
          {
            name: 'far',
            state: 'failed',
            tools: [],
            lastError: say`It went away.`,
            restarts: 2,
            nextTryAt: 5,
          },
        ],
      },
    });
    expect(await (await own.fetch('/api/mcp')).json()).toEqual({
      servers: [
        {
          name: 'recipes',
          state: 'ready',
          tools: ['list_recipes'],
          lastError: null,
          restarts: 0,
          nextTryAt: null,
        },
        { name: 'far', state: 'failed', tools: [], lastError: say`It went away.`, restarts: 2, nextTryAt: 5 },
      ],
    });
    await own.stop();
  });
});

describe('GET /api/channels', () => {
  it('reports the state of the bots', async () => {
    const channels: ChannelStatus[] = [
      {
        name: 'telegram',
        kind: 'telegram',
        state: 'running',
        botName: 'parley_bot',
        lastError: null,
        since: 7,
      },
      {
        name: 'discord',
        kind: 'discord',
        state: 'failed',
        botName: null,
        lastError: 'Look at the token.',
        since: 9,
      },
    ];
    const own = await startDoor({ channelHealth: { status: async () => channels, statusHere: () => [] } });
    expect(await (await own.fetch('/api/channels')).json()).toEqual({ channels });
    await own.stop();
  });

  it('is empty if no bot has a token', async () => {
    const own = await startDoor();
    expect(await (await own.fetch('/api/channels')).json()).toEqual({ channels: [] });
    await own.stop();
  });
});
