// Clients that other people wrote for the same specifications: replays what they send and checks what they read.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collect, type DoorHarness, familyPassword, soup, startDoor } from './door-harness.ts';
import { eventsOf } from './sse.ts';

let door: DoorHarness;
beforeAll(async () => {
  door = await startDoor({ people: ['sebastian'] });
});
afterAll(() => door.stop());

describe('the original page of the kitchen assistant', () => {
  /** It logs in with the form, and its fetch sends the cookie from then on. */
  async function openPage() {
    const login = await fetch(`${door.url}/login`, {
      method: 'POST',
      body: new URLSearchParams({ password: familyPassword }),
      redirect: 'manual',
    });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    let conversation: unknown = null;
    return {
      get: async (path: string): Promise<unknown> =>
        (await fetch(door.url + path, { headers: { cookie } })).json(),
      status: async (path: string, method = 'GET'): Promise<number> =>
        (await fetch(door.url + path, { method, headers: { cookie }, redirect: 'manual' })).status,
      async send(message: string): Promise<string> {
        const response = await fetch(`${door.url}/api/chat`, {
          method: 'POST',
          headers: { cookie, 'content-type': 'application/json' },
          body: JSON.stringify({
            message,
            conversation_id: conversation,
            image: null,
            current_recipe: { recipe_id: soup.id, title: soup.title },
          }),
        });
        let text = '';
        for (const { event, data } of await collect(eventsOf(response))) {
          if (event === 'chunk') text += String(data['text']);
          if (event === 'tool_use') text += `[${String(data['tool'])} ${String(data['status'])}]`;
          if (event === 'recipe_artifact') text += `[shows ${String(data['recipe_id'])}]`;
          if (event === 'error') text += `[${String(data['message'])} ${String(data['recoverable'])}]`;
          if (event === 'done') conversation = data['conversation_id'];
        }
        return text;
      },
      conversation: () => String(conversation),
    };
  }

  it('stays in one conversation, with the id from `done` [kitchen.sse.done-event] [kitchen.chat.unknown-fields]', async () => {
    const page = await openPage();
    expect(await page.send('Hello')).toBe('You said: Hello');
    const first = page.conversation();
    expect(await page.send('And for six people?')).toBe('You said: And for six people?');
    expect(page.conversation()).toBe(first);
    const turns = await door.gateway.turns('sebastian', first);
    expect(turns.map(({ text }) => text)).toEqual(['You said: Hello', 'You said: And for six people?']);
  });

  it('follows tools, shows a recipe and fetches it with its cookie [kitchen.sse.recipe-artifact] [kitchen.recipes.get] [kitchen.recipes.not-found]', async () => {
    door.engine.scripts.set('Show the soup', async function* () {
      yield { type: 'tool.started', id: 't', tool: 'display_recipe', input: {} };
      yield { type: 'artifact', kind: 'recipe', id: soup.id };
      yield { type: 'tool.ended', id: 't', tool: 'display_recipe', outcome: 'finished' };
      yield { type: 'text.delta', text: 'Here.' };
    });
    const page = await openPage();
    expect(await page.send('Show the soup')).toBe(
      `[display_recipe started][shows ${soup.id}][display_recipe finished]Here.`,
    );
    expect(await page.get(`/api/recipes/${soup.id}`)).toEqual(soup);
    expect(await page.status('/api/recipes/gone')).toBe(404);
    expect(await page.get('/api/recipes/gone')).toHaveProperty('error');
  });

  it('shows an error, tries again in the same conversation, and logs out [kitchen.sse.error-event] [kitchen.logout.click]', async () => {
    let tries = 0;
    door.engine.scripts.set('Add eggs', async function* () {
      tries += 1;
      if (tries === 1)
        yield { type: 'failed', code: 'unavailable', message: 'Overloaded.', recoverable: true };
      else yield { type: 'text.delta', text: 'Added.' };
    });
    const page = await openPage();
    await page.send('Hello');
    const first = page.conversation();
    expect(await page.send('Add eggs')).toBe('[Overloaded. true]');
    expect(await page.send('Add eggs')).toBe('Added.');
    expect(page.conversation()).toBe(first);
    expect([204, 303]).toContain(await page.status('/logout', 'POST'));
    expect(await page.status('/api/recipes')).toBe(401);
  });

  it('reads the recipes as an array [kitchen.recipes.list]', async () => {
    const page = await openPage();
    const recipes = (await page.get('/api/recipes')) as { title: string }[];
    expect(recipes.map(({ title }) => title)).toEqual(['Tomato Soup']);
  });
});

describe('the original client of the notes assistant', () => {
  /** Throws for every error status, with the text in `detail`; reads everything else as the result. */
  async function call(path: string, body?: object, headers: Record<string, string> = {}): Promise<unknown> {
    const response = await (body ? door.post(path, body, headers) : door.fetch(path, { headers }));
    const result = (await response.json()) as { detail?: string };
    if (!response.ok) throw new Error(result.detail);
    return result;
  }

  it('reads the lines it knows, whatever else the stream has, and continues in the session [notes.stream.order] [notes.stream.notice]', async () => {
    door.engine.scripts.set('Look', async function* () {
      yield { type: 'text.delta', text: 'Let me ' };
      yield { type: 'tool.started', id: 't', tool: 'read_file', input: { path: 'notes.md' } };
      yield { type: 'notice', code: 'reply-cut', message: 'The answer was cut.' };
      yield { type: 'text.delta', text: 'look.' };
    });
    const stream = async (message: string, session_id = '') => {
      const read = { text: '', tools: [] as unknown[], session: '' };
      const response = await door.post('/api/claude/chat-stream', {
        message,
        session_id,
        person: 'sebastian',
      });
      for (const text of (await response.text()).trimEnd().split('\n')) {
        const line = JSON.parse(text) as Record<string, string>;
        if (line['type'] === 'text') read.text += line['delta'];
        if (line['type'] === 'tool_use') read.tools.push([line['name'], line['input']]);
        if (line['type'] === 'session') read.session = String(line['session_id']);
      }
      return read;
    };
    const { session, ...read } = await stream('Look');
    expect(read).toEqual({ text: 'Let me look.', tools: [['read_file', { path: 'notes.md' }]] });
    expect(await stream('And now?', session)).toMatchObject({ session });
    expect(await call(`/api/claude/history?session_id=${session}`)).toEqual({
      success: true,
      history: [
        { role: 'user', content: 'Look' },
        { role: 'assistant', content: 'Let me look.' },
        { role: 'user', content: 'And now?' },
        { role: 'assistant', content: 'You said: And now?' },
      ],
    });
  });

  it('keeps working after its session is gone [notes.session.history-unknown] [notes.session.clear-unknown]', async () => {
    const { session_id } = (await call('/api/claude/chat', { message: 'Hello' })) as { session_id: string };
    expect(await call('/api/claude/clear', { session_id })).toMatchObject({ success: true });

    const gone = { success: false, message: 'Session not found', history: [] };
    expect(await call('/api/claude/clear', { session_id })).toEqual(gone);
    expect(await call(`/api/claude/history?session_id=${session_id}`)).toEqual(gone);
  });

  it.each([
    ['a bad request', '/api/claude/chat', {}, {}, '`message` is missing.'],
    ['a bad stream request', '/api/claude/chat-stream', {}, {}, '`message` is missing.'],
    ['nothing to clear', '/api/claude/clear', {}, {}, '`session_id` is missing.'],
    ['no history', '/api/claude/history', undefined, {}, '`session_id` is missing.'],
    [
      'an unknown person',
      '/api/claude/chat',
      { message: 'Hi' },
      { 'x-notes-person': 'mallory' },
      'There is no such person here.',
    ],
    [
      'a wrong key',
      '/api/claude/chat',
      { message: 'Hi' },
      { 'x-api-key': 'wrong' },
      'Log in, or send a valid API key in the header X-API-Key.',
    ],
  ])(
    'shows the message of %s from `detail` [notes.door.error-detail]',
    async (_, path, body, headers, text) => {
      await expect(call(path, body, headers)).rejects.toThrow(text);
    },
  );
});

describe('a login that names its person', () => {
  const logIn = (person: string) =>
    fetch(`${household.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ password: familyPassword, person }),
    });
  let household: DoorHarness;
  beforeAll(async () => {
    household = await startDoor();
  });
  afterAll(() => household.stop());

  it('is for that person from then on [kitchen.auth.login-person]', async () => {
    const login = await logIn('petra');
    expect(await login.json()).toMatchObject({ person: 'petra' });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const me = await fetch(`${household.url}/api/me`, { headers: { cookie } });
    expect(await me.json()).toMatchObject({ person: 'petra' });
  });

  it('is refused when nobody has that name, and sets no cookie', async () => {
    const login = await logIn('mallory');
    expect(login.status).toBe(400);
    expect(login.headers.get('set-cookie')).toBeNull();
  });
});

describe('a client that calls everything JSON', () => {
  const json = { 'content-type': 'application/json' };

  it('logs out with an empty body [kitchen.logout.click]', async () => {
    const login = await fetch(`${door.url}/login`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ password: familyPassword }),
    });
    const [cookie = ''] = (login.headers.get('set-cookie') ?? '').split(';');
    const me = async () => (await fetch(`${door.url}/api/me`, { headers: { cookie } })).status;
    expect(await me()).toBe(200);

    const logout = await fetch(`${door.url}/logout`, { method: 'POST', headers: { ...json, cookie } });
    expect(logout.status).toBe(204);
    expect(await me()).toBe(401);
  });

  it('stops a turn with an empty body [kitchen.chat.stop]', async () => {
    door.engine.scripts.set('long', async function* ({ signal }) {
      yield { type: 'text.delta', text: 'first' };
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    const response = await door.post('/api/chat', { message: 'long' });
    const id = response.headers.get('x-conversation-id');
    const events = eventsOf(response);
    await events.next();

    const stopped = await door.fetch(`/api/chat/${id}/stop`, { method: 'POST', headers: json });
    expect(await stopped.json()).toEqual({ stopped: true });
    expect((await collect(events)).at(-1)?.data).toMatchObject({ stopped: true });
  });

  it.each(['/logout', '/api/chat/x/stop'])('still sends valid JSON to %s', async (path) => {
    const response = await door.fetch(path, { method: 'POST', headers: json, body: '{' });
    expect(response.status).toBe(400);
  });
});

describe('a field that nobody knows', () => {
  it.each([
    ['/api/claude/chat', { message: 'Hi', model: 'x', stream: false }],
    ['/api/claude/chat-stream', { message: 'Hi', context: [{ path: 'a.md' }] }],
    ['/api/chat', { message: 'Hi', current_recipe: null }],
  ])('is ignored by POST %s [notes.door.unknown-fields]', async (path, body) => {
    const response = await door.post(path, body);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('You said: Hi');
  });
});
