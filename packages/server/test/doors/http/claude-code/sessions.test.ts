// Claude Code sessions over REST.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeDoor, startCodeDoor } from '../../websocket/harness.ts';

const sandbox = { kind: 'none', reason: 'off', required: false };

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor();
});
afterAll(() => door.stop());

const sessions = '/api/claude/sessions';
const nobody = '11111111-1111-4111-8111-111111111111';

async function created(body: object = {}): Promise<string> {
  const response = await door.fetch(sessions, {
    method: 'POST',
    body: { workingDir: '/work/garden', ...body },
  });
  expect(response.status).toBe(201);
  return ((await response.json()) as { id: string }).id;
}

describe('a new session', () => {
  it('has a working directory, a title and a mode, and the program is not started [code.session.create] [code.session.create-is-lazy]', async () => {
    const response = await door.fetch(sessions, {
      method: 'POST',
      body: { workingDir: '/work/garden', title: 'Beans', mode: 'cli', config: { model: 'opus' } },
    });
    expect(response.status).toBe(201);
    const session = (await response.json()) as { id: string };
    expect(session).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      title: 'Beans',
      workingDir: '/work/garden',
      gitBranch: 'main',
      createdAt: '1970-01-01T00:00:00.000Z',
      updatedAt: '1970-01-01T00:00:00.001Z',
      status: 'archived',
      mode: 'cli',
      archived: false,
      working: false,
      waiting: false,
      sizeBytes: 0,
      sandbox,
    });
    expect(door.engine.woken).toEqual([]);
    const kept = await door.gateway.getSession('sebastian', session.id);
    expect(kept).toMatchObject({ engine: 'claude-code', settings: { model: 'opus' } });
  });

  it('is for the browser if no mode is given [code.session.mode-ui]', async () => {
    const response = await door.fetch(`${sessions}/${await created()}`);
    expect(await response.json()).toMatchObject({ mode: 'ui' });
  });

  it('can continue another session of the person [code.session.create]', async () => {
    const before = door.sessions.startedElsewhere('sebastian');
    expect(await created({ resumeId: before })).toBe(before);
    const foreign = door.sessions.startedElsewhere('petra');
    const refused = await door.fetch(sessions, {
      method: 'POST',
      body: { workingDir: '/work/garden', resumeId: foreign },
    });
    expect(refused.status).toBe(404);
  });

  it('is refused outside the allowed folders [code.session.work-roots]', async () => {
    const response = await door.fetch(sessions, { method: 'POST', body: { workingDir: '/etc' } });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: { code: 'forbidden', message: 'Not in the allowed folders.' },
    });
  });

  it.each([
    [{}, '`workingDir` is missing.'],
    [{ workingDir: '' }, '`workingDir` is empty.'],
    [{ workingDir: 7 }, '`workingDir` must be a string.'],
    [{ workingDir: '/work', mode: 'gui' }, /^`mode`: /],
    [{ workingDir: '/work', resumeId: '--help' }, /^`resumeId`: /],
  ])('of %j is refused', async (body, message) => {
    const response = await door.fetch(sessions, { method: 'POST', body });
    expect(response.status).toBe(400);
    const { error } = (await response.json()) as { error: { code: string; message: string } };
    expect(error.message).toMatch(message);
  });
});

describe('a field that nobody knows', () => {
  it('is ignored when a session is created or changed [code.session.unknown-fields]', async () => {
    const body = { workingDir: '/work', title: 'First', shell: 'sh' };
    const response = await door.fetch(sessions, { method: 'POST', body });
    expect(response.status).toBe(201);
    const session = (await response.json()) as { id: string };
    expect(session).not.toHaveProperty('shell');

    const change = { title: 'Second', color: 'red' };
    const changed = await door.fetch(`${sessions}/${session.id}`, { method: 'PATCH', body: change });
    expect(changed.status).toBe(200);
    expect(await changed.json()).toMatchObject({ title: 'Second' });
  });
});

describe('the list', () => {
  it('comes in pages', async () => {
    for (let count = 0; count < 3; count += 1) await created();
    const first = (await (await door.fetch(`${sessions}?limit=2`)).json()) as Page;
    expect(first.sessions).toHaveLength(2);
    expect(first.next_cursor).toBe('2');
    const rest = (await (await door.fetch(`${sessions}?limit=200&cursor=2`)).json()) as Page;
    expect(rest.next_cursor).toBeNull();
    expect(rest.sessions.map(({ id }) => id)).not.toContain(first.sessions[0]?.id);
  });

  it('names folders that cannot be read [code.index.unreadable]', async () => {
    const page = async () => (await door.fetch(`${sessions}?limit=1`)).json();
    expect(await page()).not.toHaveProperty('unreadable');
    door.sessions.unreadable = ['/home/ada/.claude/projects'];
    expect(await page()).toMatchObject({ unreadable: ['/home/ada/.claude/projects'] });
    door.sessions.unreadable = [];
  });

  it('can be filtered by words, text, project and archived state', async () => {
    const query = 'q=bean&full_text=1&project=%2Fwork%2Fgarden&archived=true&limit=7&cursor=0';
    expect((await door.fetch(`${sessions}?${query}`)).status).toBe(200);
    expect(door.sessions.queries.at(-1)).toEqual({
      q: 'bean',
      fullText: true,
      workingDir: '/work/garden',
      archived: true,
      limit: 7,
      cursor: '0',
      signal: undefined,
    });
    await door.fetch(sessions);
    expect(door.sessions.queries.at(-1)).toEqual({
      limit: 50,
      fullText: false,
      archived: false,
      signal: undefined,
    });
  });

  it.each(['limit=0', 'limit=201', 'limit=x', 'limit=1.5', 'archived=maybe'])(
    'by %s is refused',
    async (query) => {
      expect((await door.fetch(`${sessions}?${query}`)).status).toBe(400);
    },
  );

  it("contains none of another person's", async () => {
    const id = await created();
    const response = await door.fetch(`${sessions}?limit=200`, { headers: { 'x-notes-person': 'petra' } });
    const { sessions: listed } = (await response.json()) as Page;
    expect(listed.map((session) => session.id)).not.toContain(id);
  });
});

describe('a session', () => {
  it('can be renamed, archived, forked and deleted', async () => {
    const id = await created();
    const patch = (body: object) => door.fetch(`${sessions}/${id}`, { method: 'PATCH', body });
    expect(await (await patch({ title: ' Peas ' })).json()).toMatchObject({ id, title: 'Peas' });
    expect(await (await patch({ archived: true })).json()).toMatchObject({ title: 'Peas', archived: true });
    expect((await patch({})).status).toBe(400);
    expect((await patch({ title: '  ' })).status).toBe(400);

    const fork = await door.fetch(`${sessions}/${id}/fork`, { method: 'POST' });
    expect(fork.status).toBe(201);
    expect(((await fork.json()) as { id: string }).id).not.toBe(id);

    expect((await door.fetch(`${sessions}/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await door.fetch(`${sessions}/${id}`)).status).toBe(404);
    expect(door.engine.released).toContain(id);
  });

  it.each([
    ['GET', ''],
    ['PATCH', ''],
    ['DELETE', ''],
    ['POST', '/fork'],
    ['GET', '/messages'],
  ])('is not found by %s %s when it is another person’s, unknown, or no id at all', async (method, path) => {
    const foreign = door.sessions.startedElsewhere('petra');
    for (const id of [foreign, nobody, 'no-id', '..%2Fx']) {
      const response = await door.fetch(`${sessions}/${id}${path}`, {
        method,
        ...(method === 'PATCH' && { body: { title: 'Mine' } }),
      });
      expect(response.status).toBe(404);
      expect(await response.json()).toEqual({
        error: { code: 'not_found', message: 'There is no such session.' },
      });
    }
  });
});

describe('the messages of a session', () => {
  const lines = Array.from({ length: 7 }, (_, index) => `{ "n":${index}.0, "text":"\u2028${index}" }`);

  it('are verbatim and paged from the end [code.history.raw-lines] [code.history.pages-backwards]', async () => {
    const id = await created();
    door.engine.transcriptOf(id).push(...lines);
    const page = async (query: string) => (await door.fetch(`${sessions}/${id}/messages?${query}`)).text();
    expect(await page('limit=3')).toBe(`{"messages":[${lines.slice(4).join(',')}],"before":"4"}`);
    expect(await page('limit=3&before=4')).toBe(`{"messages":[${lines.slice(1, 4).join(',')}],"before":"1"}`);
    expect(await page('limit=3&before=1')).toBe(`{"messages":[${lines[0]}],"before":null}`);
  });

  it('are empty at first', async () => {
    const response = await door.fetch(`${sessions}/${await created()}/messages`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({ messages: [], before: null });
  });
});

describe('the work folders', () => {
  it('start with the roots', async () => {
    expect(await (await door.fetch('/api/work-folders')).json()).toEqual({
      path: null,
      parent: null,
      sandbox: null,
      folders: [{ name: 'garden', path: '/work/garden', git: null, sandbox }],
      truncated: false,
    });
  });

  it('show their git branch and state', async () => {
    expect(await (await door.fetch('/api/work-folders?path=/work/garden')).json()).toEqual({
      path: '/work/garden',
      parent: null,
      sandbox,
      folders: [
        { name: 'bed', path: '/work/garden/bed', git: { branch: 'main', dirty: true }, sandbox },
        { name: 'loose', path: '/work/garden/loose', git: { branch: null, dirty: null }, sandbox },
      ],
      truncated: true,
    });
  });

  it('are refused outside the roots [code.session.work-roots]', async () => {
    const response = await door.fetch('/api/work-folders?path=/etc');
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      error: { code: 'forbidden', message: '/etc is outside the allowed folders.' },
    });
  });
});

interface Page {
  readonly sessions: readonly { readonly id: string }[];
  readonly next_cursor: string | null;
}
