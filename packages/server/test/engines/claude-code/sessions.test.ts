// The session list over the transcripts of the real program: what it contains, who owns it, and what people can do.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { findTranscript, projectFolderName } from '@parley/claude-cli';
import { ParleyError } from '@parley/protocol';
import { createGate, reply, say, wait } from '@parley/stand-ins';
import Database from 'libsql';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { onlyOwnSessions } from '../../../src/domain/access.ts';
import type { CodeSessionChange } from '../../../src/domain/code-sessions.ts';
import {
  type CodeHarness,
  eventually,
  openCodeHarness,
  person,
  runTurn,
  transcriptLines,
} from './harness.ts';

const other = 'bob';

describe('the sessions of Claude Code', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  const ids = async (query: Partial<Parameters<typeof code.sessions.list>[1]> = {}, who = person) =>
    (await code.sessions.list(who, { limit: 50, ...query })).sessions.map(({ id }) => id);

  async function talk(id: string, text: string, answer = 'Fine.') {
    code.standIn.enqueue(reply(answer));
    return runTurn(code, id, text);
  }

  /** The program as somebody runs it in a plain terminal, without Parley. */
  async function plainClaude(text: string): Promise<string> {
    const id = randomUUID();
    code.standIn.enqueue(reply('Plainly.'));
    const program = spawn(await code.engine.findProgram(), ['-p', '--session-id', id, text], {
      cwd: code.project,
      env: {
        PATH: '/usr/bin:/bin',
        ...code.home.variables,
        ANTHROPIC_API_KEY: code.homes.upstream?.apiKey,
        ANTHROPIC_BASE_URL: code.homes.upstream?.baseUrl,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [status] = await once(program, 'exit');
    expect(status).toBe(0);
    return id;
  }

  it('are created with directory, title and mode, and are listed before they start [code.session.create] [code.session.mode-ui]', async () => {
    const created = await code.sessions.create(person, {
      workingDir: code.project,
      title: 'Mend the fence',
      mode: 'ui',
      config: { model: 'sonnet', permissionMode: 'acceptEdits' },
    });
    expect(created).toMatchObject({
      title: 'Mend the fence',
      workingDir: code.project,
      mode: 'ui',
      status: 'archived',
    });
    expect(await ids()).toContain(created.id);
    const { frames } = await talk(created.id, 'Begin');
    expect(frames.map((raw) => JSON.parse(raw)).find(({ subtype }) => subtype === 'init')).toMatchObject({
      model: expect.stringContaining('sonnet'),
      permissionMode: 'acceptEdits',
    });
    // The title is in the transcript, where the program's own list finds it.
    expect(await transcriptLines(code, created.id)).toContainEqual(
      expect.stringContaining('"customTitle":"Mend the fence"'),
    );
    expect(await code.sessions.get(person, created.id)).toMatchObject({
      title: 'Mend the fence',
      firstPrompt: 'Begin',
      status: 'active',
      isWorking: false,
      isWaiting: false,
    });
  });

  it('are not created outside the allowed folders or with invalid settings [code.session.work-roots]', async () => {
    const create = (workingDir: string, config = {}) =>
      code.sessions.create(person, { workingDir, mode: 'ui', config });
    await expect(create(code.root)).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('PARLEY_WORK_ROOTS'),
    });
    await expect(create('relative')).rejects.toMatchObject({ code: 'invalid' });
    await expect(create(code.project, { mcpConfig: {} })).rejects.toMatchObject({ code: 'invalid' });
    await expect(create(code.project, { effort: 'heroic', model: '' })).rejects.toMatchObject({
      message: expect.stringMatching(/effort.*model|model.*effort/),
    });
  });

  it('that were started in a plain terminal appear automatically, can be joined, and belong to the owner [code.index.watch] [code.index.first-prompt]', async () => {
    const changes: CodeSessionChange[] = [];
    onTestFinished(code.sessions.onChange(person, (change) => changes.push(change)));
    await ids();
    const id = await plainClaude('What is a plain session?');
    await eventually(() => changes.some((change) => change.type !== 'removed' && change.session.id === id));
    expect(await code.sessions.list(person, { limit: 1 })).toMatchObject({
      sessions: [
        {
          id,
          title: 'What is a plain session?',
          firstPrompt: 'What is a plain session?',
          workingDir: code.project,
        },
      ],
    });
    expect(await ids({}, other)).not.toContain(id);
    await expect(code.sessions.get(other, id)).rejects.toMatchObject({ code: 'not_found' });
    await expect(code.gateway.getSession(person, id)).rejects.toMatchObject({ code: 'not_found' });

    await Promise.all([code.sessions.open(person, id), code.sessions.open(person, id)]);
    expect((await talk(id, 'Go on', 'Gladly.')).ended.text).toBe('Gladly.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain('Plainly.');
  });

  it('of another person are never found', async () => {
    const { id } = await code.gateway.createSession(other, {
      engine: 'claude-code',
      assistant: 'claude-code',
      settings: { workingDir: code.project },
    });
    expect(await ids({}, other)).toEqual([id]);
    expect(await ids()).not.toContain(id);
    const { sessions } = code;
    for (const call of [
      () => sessions.get(person, id),
      () => sessions.messages(person, id, { limit: 5 }),
      () => sessions.rename(person, id, 'Mine'),
      () => sessions.archive(person, id, true),
      () => sessions.fork(person, id),
      () => sessions.remove(person, id),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('return their lines as the program wrote them, page by page from the end [code.history.raw-lines] [code.history.pages-backwards]', async () => {
    const { id } = await code.newSession();
    for (const text of ['One', 'Two', 'Three']) await talk(id, text, `${text}!`);
    const kept = await transcriptLines(code, id);
    const pages: string[][] = [];
    let before: string | undefined;
    do {
      const page = await code.sessions.messages(person, id, {
        limit: 2,
        ...(before !== undefined && { before }),
      });
      pages.unshift([...page.lines]);
      before = page.before;
    } while (before !== undefined);
    const lines = pages.flat();
    expect(pages.length).toBeGreaterThan(2);
    expect(lines).toEqual(kept.filter((line) => lines.includes(line)));
    const said = lines
      .map((line) => JSON.parse(line))
      .filter(({ type }) => type === 'user' || type === 'assistant');
    expect(said.map(({ type }) => type)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
    ]);
    await expect(code.sessions.messages(person, id, { limit: 2, before: 'x' })).rejects.toMatchObject({
      code: 'invalid',
    });
  });

  it('are listed together whether started or not, the newest first, each on one page', async () => {
    const mine: string[] = [];
    for (const isStarted of [true, false, false, true, false, true, false, false, false]) {
      const { id } = await code.newSession();
      if (isStarted) {
        await talk(id, 'A started one');
        // The program keeps writing to its transcript for a moment after its answer.
        await code.engine.rest(id);
      }
      mine.push(id);
    }
    const inOrder = async () => (await code.sessions.list(person, { limit: 200 })).sessions;
    await eventually(async () => {
      const before = await inOrder();
      await new Promise((resolve) => setTimeout(resolve, 300));
      return isDeepStrictEqual(before, await inOrder());
    });
    const times = (await inOrder()).map(({ updatedAt }) => updatedAt);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    const all = (await inOrder()).map(({ id }) => id);
    expect(all).toEqual(expect.arrayContaining(mine));
    for (const limit of [1, 2, 3, 7]) {
      const seen: string[] = [];
      for (let cursor: string | undefined, page = 0; page < 200; page += 1) {
        const { sessions, next } = await code.sessions.list(person, { limit, ...(cursor && { cursor }) });
        seen.push(...sessions.map(({ id }) => id));
        if (next === undefined) break;
        expect(sessions).toHaveLength(limit);
        cursor = next;
      }
      expect(seen).toEqual(all);
    }
    for (const cursor of ['', '~', 'x~1~y', 'no cursor', '!!', 'x!~1~'])
      await expect(code.sessions.list(person, { limit: 1, cursor })).rejects.toMatchObject({
        code: 'invalid',
      });
  });

  it('show their given title from the first prompt on', async () => {
    const { id } = await code.sessions.create(person, {
      workingDir: code.project,
      mode: 'ui',
      title: 'Plants',
    });
    let during: string | undefined;
    const gate = createGate();
    code.standIn.enqueue(reply(say('Growing'), wait(gate.opened)));
    await runTurn(code, id, 'How do they grow?', {
      onEvent: (event) => {
        if (event.type !== 'text.delta') return;
        void eventually(async () => (await code.sessions.get(person, id)).firstPrompt !== undefined)
          .then(async () => {
            during = (await code.sessions.get(person, id)).title;
          })
          .finally(() => gate.open());
      },
    });
    expect(during).toBe('Plants');
    expect(await code.sessions.get(person, id)).toMatchObject({ title: 'Plants' });
    const long = `Why ${'so '.repeat(50)}long?`;
    const unnamed = await code.newSession();
    await talk(unnamed.id, long);
    expect(await code.sessions.get(person, unnamed.id)).toMatchObject({ title: long });
  });

  it('are renamed the way the program does it, and only that is reported [code.notifications.only-title-changes]', async () => {
    const { id } = await code.newSession();
    await talk(id, 'A question about birds');
    await ids();
    const changes: CodeSessionChange[] = [];
    onTestFinished(code.sessions.onChange(person, (change) => changes.push(change)));
    await talk(id, 'Another one');
    expect(await code.sessions.rename(person, id, 'Birds')).toMatchObject({ title: 'Birds' });
    await eventually(() => changes.length > 0);
    expect(changes).toMatchObject([{ type: 'title', session: { id, title: 'Birds' } }]);
    expect(await transcriptLines(code, id)).toContainEqual(expect.stringContaining('"customTitle":"Birds"'));
    expect((await code.gateway.getSession(person, id)).title).toBe('Birds');
    expect(await ids({ q: 'birds' })).toEqual([id]);
    await expect(code.sessions.rename(person, id, ' \n')).rejects.toMatchObject({ code: 'invalid' });
  });

  it('are found by words in their messages', async () => {
    const { id } = await code.newSession();
    await talk(id, 'Tell me something', 'The quagga was a zebra of the Karoo.');
    expect(await ids({ q: 'quagga' })).toEqual([]);
    expect(await ids({ q: 'quagga', fullText: true })).toEqual([id]);
    expect(await ids({ q: 'quagga', fullText: true }, other)).toEqual([]);
    const stop = new AbortController();
    stop.abort();
    await expect(ids({ q: 'karoo', fullText: true, signal: stop.signal })).rejects.toThrow('aborted');
  });

  it('are found by words in what others share, and by nobody else [app.search.transcripts.own]', async () => {
    const { id } = await code.newSession();
    await talk(id, 'Tell me something', 'The okapi lives in the Ituri forest.');
    const shared = code.reopenSessions({
      ...onlyOwnSessions,
      sharedWith: (who) => (who === other ? [id] : []),
      levelOf: (actor, session) =>
        actor === other && session.id === id ? 'read' : onlyOwnSessions.levelOf(actor, session),
    });
    onTestFinished(() => shared.close());
    const found = async (who: string, q: string) =>
      (await shared.list(who, { q, fullText: true, limit: 50 })).sessions.map((one) => [
        one.id,
        one.found?.role,
      ]);
    await eventually(async () => (await found(person, 'okapi')).length > 0);
    expect(await found(other, 'okapi')).toEqual([[id, 'assistant']]);
    expect(await found(other, 'quagga')).toEqual([]);
    expect(await found('clara', 'okapi')).toEqual([]);
  });

  it('are archived and unarchived', async () => {
    const { id } = await code.newSession();
    await talk(id, 'An old matter');
    expect(await code.sessions.archive(person, id, true)).toMatchObject({ isArchived: true });
    expect([(await ids()).includes(id), (await ids({ archived: true })).includes(id)]).toEqual([false, true]);
    await code.sessions.archive(person, id, false);
    expect([(await ids()).includes(id), (await ids({ archived: true })).includes(id)]).toEqual([true, false]);
    const fresh = await code.sessions.create(person, { workingDir: code.project, mode: 'ui' });
    await code.sessions.archive(person, fresh.id, true);
    expect([(await ids()).includes(fresh.id), (await ids({ archived: true })).includes(fresh.id)]).toEqual([
      false,
      true,
    ]);
  });

  it('have no process once they are archived; one that works finishes its turn first', async () => {
    const [idle, busy] = [await code.newSession(), await code.newSession()];
    await talk(idle.id, 'Done');
    await code.sessions.archive(person, idle.id, true);
    expect(code.engine.statusOf(idle.id)).toBe('archived');
    const gate = createGate();
    code.standIn.enqueue(reply(say('Busy'), wait(gate.opened), say(' and done.')));
    const asked = createGate();
    const turn = runTurn(code, busy.id, 'Take your time', {
      onEvent: ({ type }) => type === 'text.delta' && asked.open(),
    });
    await asked.opened;
    await code.sessions.archive(person, busy.id, true);
    expect(code.engine.isWorking(busy.id)).toBe(true);
    gate.open();
    expect((await turn).ended).toMatchObject({ outcome: 'completed', text: 'Busy and done.' });
    await eventually(() => code.engine.statusOf(busy.id) === 'archived');
  });

  it('are forked: the fork has the same past and its own future', async () => {
    const { id } = await code.newSession({ permissionMode: 'acceptEdits' });
    await talk(id, 'The word is pumpernickel', 'Noted.');
    const fork = await code.sessions.fork(person, id);
    expect(fork).toMatchObject({ title: 'The word is pumpernickel (fork)', workingDir: code.project });
    expect(fork.id).not.toBe(id);
    await talk(fork.id, 'What was the word?', 'Pumpernickel.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain(
      'The word is pumpernickel',
    );
    await talk(id, 'Forget it', 'Forgotten.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).not.toContain(
      'What was the word?',
    );
    const listed = await ids();
    expect([listed.includes(id), listed.includes(fork.id)]).toEqual([true, true]);
    const fresh = await code.newSession();
    await expect(code.sessions.fork(person, fresh.id)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('are forked once per key, and not over a fork that was removed', async () => {
    const { id } = await code.newSession();
    await talk(id, 'The word is rye', 'Noted.');
    const [first, second] = await Promise.all([1, 2].map(() => code.sessions.fork(person, id, 'once')));
    expect(second?.id).toBe(first?.id);
    const forkId = first?.id ?? '';
    await talk(forkId, 'And now?', 'Still rye.');
    expect((await code.sessions.fork(person, id, 'once')).id).toBe(forkId);
    const transcript = (await findTranscript(code.home.projects, forkId)) ?? '';
    await eventually(() => code.store.marks.remove(forkId, Date.now() + 60_000));
    await expect(code.sessions.fork(person, id, 'once')).rejects.toMatchObject({ code: 'not_found' });
    expect(await readFile(transcript, 'utf8')).toContain('Still rye.');
    expect((await code.sessions.fork(person, id, 'twice')).id).not.toBe(forkId);
  });

  it('are not forked halfway: without a stored session, there is no copy of the transcript', async () => {
    const { id } = await code.newSession();
    await talk(id, 'Remember the bread');
    const folder = dirname((await findTranscript(code.home.projects, id)) ?? '');
    const transcripts = async () => (await readdir(folder)).filter((name) => name.endsWith('.jsonl'));
    const before = await transcripts();
    const database = new Database(join(code.root, 'parley.db'), { timeout: 10_000 });
    onTestFinished(() => void database.close());
    database.exec(`CREATE TRIGGER full BEFORE INSERT ON sessions BEGIN SELECT RAISE(ABORT, 'full'); END`);
    const refused = await code.sessions.fork(person, id).catch((error: unknown) => error);
    database.exec('DROP TRIGGER full');
    expect(refused).toBeInstanceOf(ParleyError);
    expect(await transcripts()).toEqual(before);
  });

  it('are forked without what a door set: its tools and its permission mode', async () => {
    const ofDoor = { mcpConfig: { mcpServers: {} }, appendSystemPrompt: 'You are in a chat.' };
    const { id } = await code.newSession({ model: 'sonnet', permissionMode: 'bypassPermissions', ...ofDoor });
    await talk(id, 'Remember the milk');
    const fork = await code.sessions.fork(person, id);
    const { settings } = await code.gateway.getSession(person, fork.id);
    expect(settings).toEqual({ model: 'sonnet', workingDir: code.project, forkedFrom: id });
  });

  it('are deleted with their transcript and their process', async () => {
    const { id } = await code.newSession();
    await talk(id, 'To be forgotten');
    const file = await findTranscript(code.home.projects, id);
    await code.sessions.remove(person, id);
    await expect(stat(file ?? '')).rejects.toThrow('ENOENT');
    expect(code.engine.statusOf(id)).toBe('archived');
    await expect(code.sessions.get(person, id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await ids()).not.toContain(id);
  });

  it('tolerate that a transcript disappears', async () => {
    const { id } = await code.newSession();
    await talk(id, 'Here today');
    // Only a start can change this, so the process is put to sleep.
    await code.gateway.configure(person, id, { effort: 'low' });
    await rm((await findTranscript(code.home.projects, id)) ?? '');
    // The file system reports it to the list after a moment.
    await expect.poll(() => ids()).not.toContain(id);
    expect(await code.sessions.messages(person, id, { limit: 5 })).toEqual({ lines: [], before: undefined });
  });

  it('are resumed instead of created again', async () => {
    const { id } = await code.newSession();
    await talk(id, 'Remember me');
    const resumed = await code.sessions.create(person, {
      workingDir: '/elsewhere',
      resumeId: id,
      mode: 'ui',
      config: { model: 'opus' },
    });
    expect(resumed).toMatchObject({ id, workingDir: code.project });
    expect((await code.gateway.getSession(person, id)).settings).toMatchObject({
      model: 'opus',
      workingDir: code.project,
    });
    await expect(
      code.sessions.create(other, { workingDir: code.project, resumeId: id, mode: 'ui' }),
    ).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('the list of sessions', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  /** A transcript as the program writes it, `minutes` old. */
  async function write(text: string, minutes: number, uuid: string = randomUUID()): Promise<string> {
    const id = randomUUID();
    const folder = join(code.home.projects, projectFolderName(code.project));
    await mkdir(folder, { recursive: true });
    const at = new Date(Date.now() - minutes * 60_000);
    const line = {
      type: 'user',
      uuid,
      parentUuid: null,
      isSidechain: false,
      sessionId: id,
      cwd: code.project,
    };
    const message = { role: 'user', content: text };
    const file = join(folder, `${id}.jsonl`);
    await writeFile(file, `${JSON.stringify({ ...line, timestamp: at.toISOString(), message })}\n`);
    await utimes(file, at, at);
    return id;
  }

  const kept = async () =>
    (await code.store.codeSessions.transcripts.load()) as { file: string; sessionId: string }[];

  it('reads nothing before the first request [code.index.lazy]', async () => {
    await write('Unread', 60);
    expect(await kept()).toEqual([]);
    await code.sessions.list(person, { limit: 50 });
    await eventually(async () => (await kept()).length === 1);
  });

  it('is paged by a cursor that stays valid while files change [code.index.pages]', async () => {
    const unread = (await kept())[0]?.sessionId;
    const written: string[] = [];
    for (let minutes = 1; minutes <= 7; minutes += 1)
      written.push(await write(`Session ${minutes}`, minutes));
    const first = await code.sessions.list(person, { limit: 3 });
    expect(first.sessions.map(({ id }) => id)).toEqual(written.slice(0, 3));
    const newest = await write('Brand new', 0);
    const second = await code.sessions.list(person, { limit: 3, cursor: first.next ?? '' });
    const third = await code.sessions.list(person, { limit: 3, cursor: second.next ?? '' });
    expect([...second.sessions, ...third.sessions].map(({ id }) => id)).toEqual([
      ...written.slice(3),
      unread,
    ]);
    expect(third.next).toBeUndefined();
    await eventually(async () => (await code.sessions.list(person, { limit: 1 })).sessions[0]?.id === newest);
    await expect(code.sessions.list(person, { limit: 3, cursor: 'nonsense' })).rejects.toMatchObject({
      code: 'invalid',
    });
    expect((await code.sessions.list(person, { limit: 3, workingDir: '/elsewhere' })).sessions).toEqual([]);
  });

  it('shows sessions with the same first message as one [code.index.dedupe]', async () => {
    const uuid = randomUUID();
    await write('Copied', 30, uuid);
    const newer = await write('Copied', 20, uuid);
    await eventually(async () => {
      const { sessions } = await code.sessions.list(person, { limit: 50, q: 'copied' });
      return sessions.length === 1 && sessions[0]?.id === newer;
    });
  });

  it('reads only what changed after a restart [code.index.kept-cache]', async () => {
    await code.sessions.list(person, { limit: 50 });
    const folder = join(code.home.projects, projectFolderName(code.project));
    const count = (await readdir(folder)).filter((name) => name.endsWith('.jsonl')).length;
    await eventually(async () => (await kept()).length === count);
    const first = (await kept()).find((record) => JSON.stringify(record).includes('Session 3'));

    // A stored record counts as long as its file is unchanged, so it proves that the file was not read again.
    const altered = JSON.parse(
      JSON.stringify(first).replace(/"firstPrompt":"[^"]*"/, '"firstPrompt":"Only in the cache"'),
    );
    await code.sessions.close();
    await code.store.codeSessions.transcripts.save([{ file: altered.file, record: altered }]);
    const reopened = code.reopenSessions();
    onTestFinished(() => reopened.close());
    const titles = async () =>
      (await reopened.list(person, { limit: 50 })).sessions.map(({ title }) => title);
    expect(await titles()).toContain('Only in the cache');
    const title = { type: 'custom-title', customTitle: 'Added since', sessionId: altered.sessionId };
    await appendFile(altered.file, `${JSON.stringify(title)}\n`);
    await eventually(async () => (await titles()).includes('Added since'));
  });
});
