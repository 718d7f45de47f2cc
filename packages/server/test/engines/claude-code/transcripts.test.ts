// Transcripts that other people, other versions or a crash left: they are shown as they are and never changed.
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolderName } from '@parley/claude-cli';
import { reply } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeHarness, eventually, openCodeHarness, person, runTurn, type SeenTurn } from './harness.ts';

describe('a transcript', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  async function write(...lines: readonly Readonly<Record<string, unknown>>[]): Promise<string> {
    const id = randomUUID();
    await mkdir(folder(), { recursive: true });
    const text = lines.map((line) => `${JSON.stringify({ ...line, sessionId: id })}\n`);
    await writeFile(fileOf(id), text.join(''));
    return id;
  }

  const folder = () => join(code.home.projects, projectFolderName(code.project));
  const fileOf = (id: string) => join(folder(), `${id}.jsonl`);
  const files = () => readdir(folder());
  const read = (id: string) => readFile(fileOf(id), 'utf8');

  describe('that the program refuses to resume', () => {
    /** Without a uuid and a time the program finds no conversation in it. */
    const bare = () => ({ type: 'user', cwd: code.project, message: { role: 'user', content: 'Long ago' } });

    it("stays as it is and keeps its messages, and the session says why it can't continue [code.session.not-resumable]", async () => {
      const id = await write(bare());
      const before = { text: await read(id), files: await files() };
      await code.sessions.open(person, id);
      for (let view = 1; view <= 4; view += 1) {
        await expect(code.gateway.wake(person, id)).rejects.toMatchObject({
          code: 'not_resumable',
          message: expect.stringContaining('Continue in a new session'),
        });
      }
      const { ended } = await runTurn(code, id, 'Go on');
      expect(ended).toMatchObject({
        outcome: 'failed',
        error: { code: 'not_resumable', recoverable: false },
      });
      expect({ text: await read(id), files: await files() }).toEqual(before);
      const { lines } = await code.sessions.messages(person, id, { limit: 50 });
      expect(lines.join()).toContain('Long ago');
    });

    it('is resumed once it has a conversation', async () => {
      const id = await write(bare());
      await code.sessions.open(person, id);
      await expect(code.gateway.wake(person, id)).rejects.toMatchObject({ code: 'not_resumable' });
      const line = { ...bare(), uuid: randomUUID(), parentUuid: null, isSidechain: false, sessionId: id };
      await writeFile(fileOf(id), `${JSON.stringify({ ...line, timestamp: new Date().toISOString() })}\n`);
      code.standIn.enqueue(reply('Gladly.'));
      expect((await runTurn(code, id, 'Go on')).ended.text).toBe('Gladly.');
    });
  });

  const said = (text: string, uuid: string = randomUUID()) => ({
    type: 'user',
    uuid,
    parentUuid: null,
    isSidechain: false,
    cwd: code.project,
    timestamp: new Date().toISOString(),
    message: { role: 'user', content: text },
  });
  const listed = async () => (await code.sessions.list(person, { limit: 100 })).sessions.map(({ id }) => id);

  it('that shares its first message with a newer one is not listed, even when somebody looks at it', async () => {
    const uuid = randomUUID();
    const older = await write(said('Shared', uuid));
    // Two files that are written right after each other can have the same time.
    const before = new Date(Date.now() - 60_000);
    await utimes(fileOf(older), before, before);
    const newer = await write(said('Shared', uuid), said('And more'));
    await eventually(async () => (await listed()).includes(newer));
    expect(await listed()).not.toContain(older);
    expect(await code.sessions.get(person, older)).toMatchObject({ id: older });
    await expect(code.gateway.getSession(person, older)).rejects.toMatchObject({ code: 'not_found' });
    await code.sessions.open(person, older);
    expect(await code.gateway.getSession(person, older)).toMatchObject({ id: older });
    expect(await listed()).not.toContain(older);
    const fork = await code.sessions.fork(person, newer);
    expect(await listed()).toEqual(expect.arrayContaining([newer, fork.id]));
  });

  it('in a folder that cannot be read is missing from the list, and the owner learns which [code.index.unreadable]', async () => {
    const visible = await write(said('Listed'));
    await eventually(async () => (await listed()).includes(visible));
    // Cannot be read by anybody, not even by root.
    const loop = join(code.home.projects, 'loop');
    await symlink('loop', loop);
    const list = async (who: string) => (await code.sessions.list(who, { limit: 1 })).unreadable;
    await eventually(async () => (await list(person)) !== undefined);
    expect(await list(person)).toEqual([loop]);
    expect(await list('bert')).toBeUndefined();
    await rm(loop);
    await eventually(async () => (await list(person)) === undefined);
  });

  it('with nothing but a summary is not listed, and opening it says what is missing', async () => {
    const id = await write({ type: 'summary', summary: 'Of another session', leafUuid: randomUUID() });
    const visible = await write(said('Listed'));
    await eventually(async () => (await listed()).includes(visible));
    expect(await listed()).not.toContain(id);
    await code.sessions.open(person, id);
    await expect(code.gateway.wake(person, id)).rejects.toMatchObject({
      code: 'not_resumable',
      message: expect.stringContaining('does not say in which folder it worked'),
    });
  });

  it('with a repeated line shows it once, and its raw history has the lines that the specification names [code.history.raw-lines]', async () => {
    const again = said('Said once');
    const known = ['queue-operation', 'tag', 'agent-name', 'file-history-snapshot'];
    const id = await write(again, again, ...known.map((type) => ({ type })), { type: 'api-request' });
    const { lines } = await code.sessions.messages(person, id, { limit: 50 });
    expect(lines.map((line) => JSON.parse(line).type)).toEqual(['user', ...known]);
    const { entries } = await code.sessions.past(person, id, { limit: 50 });
    expect(entries).toHaveLength(1);
  });

  it('that the program cannot write is reported in the turn [code.turn.not-written]', async () => {
    const notices = (turn: SeenTurn) =>
      turn.events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
    const workingDir = join(code.project, 'unwritable');
    await mkdir(workingDir);
    const blocked = join(code.home.projects, projectFolderName(workingDir));
    // Where the program would make its folder, there is a file.
    await writeFile(blocked, '');
    const { id } = await code.newSession({ workingDir });
    code.standIn.enqueue(reply('Said, but not written.'), reply('Said and written.'));
    const lost = await runTurn(code, id, 'Hi');
    expect(lost.ended).toMatchObject({ outcome: 'completed', text: 'Said, but not written.' });
    expect(notices(lost)).toContain('transcript-not-written');
    await rm(blocked);
    expect(notices(await runTurn(code, id, 'Hi again'))).not.toContain('transcript-not-written');
  });
});
