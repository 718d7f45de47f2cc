// The whole server in demo mode with the real program, killed during a turn and restarted.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { freshPlace, parley } from '../../cli/parley-process.ts';
import { PageClient } from './page-client.ts';

const key = 'a-key-for-the-test-of-kills';
const env = { PARLEY_API_KEY: key, PARLEY_DEMO: '1' };
const headers = { 'x-api-key': key, 'x-notes-person': 'sebastian' };

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly workingDir: string }[];
}

describe('a server that was killed', () => {
  it('lists its sessions again, with everything that was acknowledged, and continues them [code.ws.connected] [code.ws.todo-update]', async () => {
    const { serve } = freshPlace(parley);
    const first = await serve([], env);
    // The program has a task list with this model.
    const id = await newSession(first.url, { config: { model: 'claude-sonnet-4-5-20250929' } });
    const page = await open(first.url, id);
    expect(page.greeting['demo']).toBe(true);
    page.prompt('Hello there');
    await page.turnsEnded();
    const said = page.messages.filter(({ type }) => type === 'user' || type === 'assistant');
    expect(said.length).toBeGreaterThan(1);
    page.prompt('Make a todo list');
    await page.turnsEnded(2);
    const todos = page.ofType('todo_update').at(-1)?.data?.['todos'] as unknown[];
    expect(todos).toHaveLength(3);
    page.prompt('And now something about beans');
    await page.until(() => page.texts.some((text) => text.includes('something about beans')));
    await first.program.stop('SIGKILL');
    await page.untilClosed();

    const second = await serve([], env);
    const { sessions } = (await get(second.url, '/api/claude/sessions')) as Listed;
    expect(sessions.map((session) => session.id)).toContain(id);
    const again = await open(second.url, id, page.after);
    expect(again.greeting).toMatchObject({ reset: true, todos });
    await again.until(() => again.texts.length >= Number(again.greeting['cached']));
    const kept = again.messages.map(({ uuid }) => uuid);
    expect(kept).toEqual(expect.arrayContaining(said.map(({ uuid }) => uuid)));
    again.prompt('Are you still there?');
    await again.until(() => again.ofType('result').length === 1);
    expect(again.ofType('error')).toEqual([]);
    again.drop();
    await second.program.stop();
  });

  it('answers the prompt that it accepted while the program was still starting', async () => {
    const { serve, user } = freshPlace(parley);
    const slowProgram = join(user, 'never-up');
    await writeFile(slowProgram, '#!/bin/sh\nexec sleep 600\n', { mode: 0o700 });
    const first = await serve([], { ...env, PARLEY_CLAUDE_PATH: slowProgram });
    const id = await newSession(first.url);
    const page = await open(first.url, id);
    page.prompt('Count to 5');
    await page.until(() => page.ofType('queue_update').some(({ data }) => data?.['running'] !== null));
    await first.program.stop('SIGKILL');
    await page.untilClosed();

    const second = await serve([], env);
    const again = await open(second.url, id, page.after);
    await again.until(() => again.texts.some((text) => text.includes('1, 2, 3, 4, 5.')));
    again.drop();
    await second.program.stop();
  });
});

async function newSession(url: string, settings: Record<string, unknown> = {}): Promise<string> {
  const { folders } = (await get(url, '/api/work-folders')) as { folders: { path: string }[] };
  const created = await fetch(`${url}/api/claude/sessions`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ workingDir: folders[0]?.path, ...settings }),
  });
  expect(created.status).toBe(201);
  return ((await created.json()) as { id: string }).id;
}

async function get(url: string, path: string): Promise<unknown> {
  const response = await fetch(url + path, { headers });
  expect(response.status).toBe(200);
  return response.json();
}

function open(url: string, id: string, after?: number): Promise<PageClient> {
  const query = after === undefined ? '' : `?after=${after}`;
  return new PageClient(`${url}/api/claude/sessions/${id}/ws${query}`, headers).greeted();
}
