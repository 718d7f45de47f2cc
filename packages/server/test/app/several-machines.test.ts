// Claude Code on two machines: two whole servers with the real program, each with a folder and transcripts of its own.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolderName } from '@parley/claude-cli';
import type { CodeMessagePage, CodeSessionList, CodeSessionView, WorkFolderList } from '@parley/protocol';
import { describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { demoProgramHome, demoProjectsRoot } from '../../src/demo/layout.ts';
import { PageClient } from '../doors/websocket/page-client.ts';
import { ask, headers, Notifications, type OneOfSeveral, useSeveralApps } from '../support/several-apps.ts';

const { start, stop } = useSeveralApps();
const patience = { timeout: 100_000 };

const projectOf = ({ home }: OneOfSeveral) => join(demoProjectsRoot(home), 'reading-list');

async function create(through: OneOfSeveral, workingDir: string): Promise<CodeSessionView> {
  const { status, body } = await ask<CodeSessionView>(through, '/api/claude/sessions', {
    method: 'POST',
    body: { workingDir },
  });
  expect(status).toBe(201);
  return body;
}

function pageOf(app: OneOfSeveral, id: string): Promise<PageClient> {
  return new PageClient(`${app.url}/api/claude/sessions/${id}/ws`, headers).greeted();
}

async function listed(app: OneOfSeveral, query = ''): Promise<CodeSessionList> {
  return (await ask<CodeSessionList>(app, `/api/claude/sessions${query}`)).body;
}

describe('a Claude Code session on another machine', () => {
  it('is created, watched and prompted through any server, byte for byte [cluster.machine.any-server]', async () => {
    const [a, b] = [await start(), await start()];
    const roots = (await ask<WorkFolderList>(a, '/api/work-folders')).body.folders;
    expect(roots.map(({ path }) => path)).toEqual([demoProjectsRoot(a.home), demoProjectsRoot(b.home)]);
    expect(new Set(roots.map(({ machine }) => machine)).size).toBe(2);
    const inRoot = await ask<WorkFolderList>(
      a,
      `/api/work-folders?path=${encodeURIComponent(roots[1]?.path ?? '')}`,
    );
    expect(inRoot.body.folders.map(({ path }) => path)).toEqual([projectOf(b)]);

    const { id } = await create(a, projectOf(b));
    const [throughA, throughB] = [await pageOf(a, id), await pageOf(b, id)];
    // The program may have started in between.
    const session = { ...(throughA.greeting['session'] as object), status: expect.any(String) };
    expect(throughB.greeting).toEqual({ ...throughA.greeting, session });
    throughA.prompt('Read README.md');
    await Promise.all([throughA.turnsEnded(), throughB.turnsEnded()]);
    await vi.waitFor(() => expect(throughA.texts).toEqual(throughB.texts), patience);
    expect(throughA.frames.join('\n')).toContain('Reading list');
    for (const page of [throughA, throughB]) page.socket.close();

    const path = `/api/claude/sessions/${id}`;
    const messages = await ask<CodeMessagePage>(a, `${path}/messages`);
    expect(messages.body.messages.length).toBeGreaterThan(2);
    expect(messages).toEqual(await ask(b, `${path}/messages`));
    expect(await ask(a, `/api/sessions/${id}/past`)).toEqual(await ask(b, `/api/sessions/${id}/past`));

    const upload = await fetch(`${a.url}${path}/files/raw?path=new.txt`, {
      method: 'PUT',
      headers: { ...headers, 'content-type': 'application/octet-stream' },
      body: 'x'.repeat(300_000),
    });
    expect(upload.status).toBe(200);
    const part = await fetch(`${a.url}${path}/files/raw?path=new.txt`, {
      headers: { ...headers, range: 'bytes=0-9' },
    });
    expect([part.status, await part.text()]).toEqual([206, 'xxxxxxxxxx']);

    const renamed = await ask(a, path, { method: 'PATCH', body: { title: 'Renamed' } });
    expect(renamed.body).toMatchObject({ id, title: 'Renamed' });
    const forked = await ask<CodeSessionView>(a, `${path}/fork`, { method: 'POST' });
    expect(forked.status).toBe(201);
    expect(await ask(b, `/api/claude/sessions/${forked.body.id}`)).toMatchObject({ status: 200 });
    expect((await ask(a, `/api/sessions/${forked.body.id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await ask(b, `/api/claude/sessions/${forked.body.id}`)).status).toBe(404);

    // Somebody else learns nothing, wherever the session is.
    expect((await ask(a, path, { as: 'petra' })).status).toBe(404);
    expect((await ask(a, path, { as: 'petra', method: 'DELETE' })).status).toBe(404);
    const metrics = await (await fetch(`${a.url}/metrics`, { headers })).text();
    expect(metrics).toMatch(/parley_forwarded_calls_total\{call="upgrade"\} 1/);
  }, 180_000);

  it('has a terminal through any server, which its own machine decides about [cluster.machine.terminal]', async () => {
    const [a, b] = [await start(), await start()];
    const { id } = await create(b, projectOf(b));
    const address = `${a.url}/api/claude/sessions/${id}/terminal`;
    const terminal = new WebSocket(address.replace('http', 'ws'), { headers });
    let screen = '';
    terminal.on('message', (data, isBinary) => {
      if (isBinary) screen += (data as Buffer).toString();
    });
    await once(terminal, 'open');
    terminal.send(JSON.stringify({ type: 'resize', cols: 100, rows: 30 }));
    await vi.waitFor(() => expect(screen).toContain('Claude'), patience);
    const closed = once(terminal, 'close');
    expect((await ask(a, `/api/claude/sessions/${id}/terminal`, { method: 'DELETE' })).status).toBe(204);
    expect((await closed)[0]).toBe(1000);
    const refused = new WebSocket(address.replace('http', 'ws'), {
      headers: { ...headers, 'x-notes-person': 'petra' },
    });
    const [, response] = (await once(refused, 'unexpected-response')) as [unknown, { statusCode: number }];
    refused.on('error', () => undefined);
    refused.terminate();
    expect(response.statusCode).toBe(404);
  }, 180_000);

  it('is in the list of every server, even if only the program knows it [cluster.machine.list]', async () => {
    const [a, b] = [await start(), await start()];
    const own = await create(a, projectOf(a));
    const other = await create(b, projectOf(b));
    const outside = await transcriptOn(b, 'Started in a terminal');
    const ids = [own.id, other.id, outside];
    for (const app of [a, b]) {
      const { sessions } = await listed(app);
      expect(sessions.map(({ id }) => id).sort()).toEqual([...ids].sort());
      expect(new Set(sessions.map(({ machine }) => machine)).size).toBe(2);
    }
    // Page by page it is the same list.
    const paged: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await listed(a, `?limit=1${cursor === '' ? '' : `&cursor=${cursor}`}`);
      paged.push(...page.sessions.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(paged).toEqual((await listed(a)).sessions.map(({ id }) => id));
    const found = await listed(a, '?q=terminal&full_text=true');
    expect(found.sessions.map(({ id }) => id)).toEqual([outside]);
    expect((await ask(a, `/api/sessions/${outside}`)).status).toBe(200);
    const never = await transcriptOn(b, 'Never listed');
    expect((await ask(a, `/api/sessions/${never}/state`)).status).toBe(200);
    expect((await ask(a, `/api/sessions/${randomUUID()}`)).status).toBe(404);
    expect((await listed(b, '?cursor=nonsense')).sessions).toBeUndefined();
  }, 180_000);

  it('stays in the list when its machine is offline, and says so when somebody uses it [cluster.machine.offline]', async () => {
    const [a, b] = [await start(), await start()];
    const { id } = await create(b, projectOf(b));
    await ask(b, `/api/claude/sessions/${id}`, { method: 'PATCH', body: { title: 'On the other one' } });
    await stop(b);
    expect((await listed(a)).sessions).toMatchObject([
      { id, title: 'On the other one', workingDir: projectOf(b), offline: true, machine: expect.any(String) },
    ]);
    expect((await ask<CodeSessionList>(a, '/api/claude/sessions', { as: 'petra' })).body.sessions).toEqual(
      [],
    );
    const prompt = { method: 'POST', body: { message: 'Hello' } };
    for (const answer of [
      await ask(a, `/api/sessions/${id}/prompts`, prompt),
      await ask(a, `/api/claude/sessions/${id}`),
    ])
      expect(answer).toMatchObject({
        status: 503,
        body: { error: { message: expect.stringContaining('Parley is not running there') } },
      });
    expect((await ask(a, `/api/claude/sessions/${id}`, { as: 'petra' })).status).toBe(404);
    expect((await ask(a, `/api/sessions/${id}/prompts`, { ...prompt, as: 'petra' })).status).toBe(404);
  }, 180_000);
});

describe('a machine', () => {
  it('tells people on other servers about new titles [cluster.notifications]', async () => {
    const [a, b] = [await start(), await start()];
    const { id } = await create(b, projectOf(b));
    const throughA = new Notifications(a.url);
    let count = 0;
    // It learns after a moment that somebody listens.
    await vi.waitFor(
      async () => {
        count += 1;
        await ask(b, `/api/claude/sessions/${id}`, { method: 'PATCH', body: { title: `Title ${count}` } });
        expect(throughA.names).toContain(`claude-session-updated ${id}`);
      },
      { ...patience, interval: 300 },
    );
    throughA.close();
  }, 180_000);

  it('that cannot be reached counts as offline, and the message says why [cluster.machine.offline]', async () => {
    const a = await start();
    const lost = await start({ PARLEY_SERVER_URL: 'http://127.0.0.1:9' });
    const { id } = await create(lost, projectOf(lost));
    const { sessions } = await listed(a);
    expect(sessions.find((one) => one.id === id)).toMatchObject({ offline: true });
    expect(await ask(a, `/api/claude/sessions/${id}`)).toMatchObject({
      status: 503,
      body: { error: { message: expect.stringContaining('is not answering') } },
    });
  }, 180_000);
});

async function transcriptOn(app: OneOfSeveral, content: string): Promise<string> {
  const id = randomUUID();
  const folder = join(demoProgramHome(app.home), '.claude', 'projects', projectFolderName(projectOf(app)));
  await mkdir(folder, { recursive: true });
  const line = {
    type: 'user',
    uuid: randomUUID(),
    parentUuid: null,
    isSidechain: false,
    sessionId: id,
    cwd: projectOf(app),
    timestamp: new Date().toISOString(),
    message: { role: 'user', content },
  };
  await writeFile(join(folder, `${id}.jsonl`), `${JSON.stringify(line)}\n`);
  return id;
}
