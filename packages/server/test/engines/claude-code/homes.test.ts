// Each person has a program home: transcripts, settings and login in one are nobody else's.
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, readlink, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolderName, transcriptPath } from '@parley/claude-cli';
import { reply } from '@parley/stand-ins';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CodeSessionChange } from '../../../src/domain/code-sessions.ts';
import { moveSessions } from '../../../src/engines/claude-code/move-sessions.ts';
import { createProgramHomes } from '../../../src/engines/claude-code/program-homes.ts';
import { type CodeHarness, eventually, openCodeHarness, person, runTurn } from './harness.ts';
import { programsIn } from './processes.ts';

const other = 'bea';

describe('a home for each person', () => {
  let code: CodeHarness;
  afterEach(() => code.close());

  const talk = async (as: string, id: string, text: string, answer: string) => {
    code.standIn.enqueue(reply(answer));
    return runTurn(code, id, text, { as });
  };
  const ids = async (of: string, q?: string) => {
    const query = { limit: 50, ...(q !== undefined && { q, fullText: true }) };
    return (await code.sessions.list(of, query)).sessions.map(({ id }) => id);
  };

  it('has the transcripts of that person only, and lists, searches and reports nothing else [code.homes.own] [code.homes.index]', async () => {
    code = await openCodeHarness();
    const heard: Record<string, CodeSessionChange[]> = { [person]: [], [other]: [] };
    for (const one of [person, other]) code.sessions.onChange(one, (change) => heard[one]?.push(change));
    const mine = await code.newSession();
    const hers = await code.newSession({}, undefined, other);
    await talk(person, mine.id, 'Plant carrots', 'Planted.');
    await talk(other, hers.id, 'Plant radishes', 'Sown.');
    const home = await code.homes.of(other);
    expect(home.config.startsWith(join(code.root, 'parley', 'people', other))).toBe(true);
    expect(existsSync(transcriptPath(code.home.projects, code.project, mine.id))).toBe(true);
    expect(existsSync(transcriptPath(home.projects, code.project, hers.id))).toBe(true);
    expect(existsSync(transcriptPath(code.home.projects, code.project, hers.id))).toBe(false);
    expect(await ids(person)).toEqual([mine.id]);
    expect(await ids(other)).toEqual([hers.id]);
    expect(await ids(person, 'Plant')).toEqual([mine.id]);
    expect(await ids(other, 'Plant')).toEqual([hers.id]);

    // What appears in a home is that person's, even if Parley never heard of it.
    const found = randomUUID();
    const line = { type: 'user', sessionId: found, cwd: code.project, uuid: randomUUID() };
    const folder = join(home.projects, projectFolderName(code.project));
    await writeFile(
      join(folder, `${found}.jsonl`),
      `${JSON.stringify({ ...line, message: { role: 'user', content: 'From elsewhere' } })}\n`,
    );
    await eventually(() => JSON.stringify(heard[other]).includes(found));
    expect(JSON.stringify(heard[person])).not.toContain(found);
    expect(await code.sessions.open(other, found)).toMatchObject({ firstPrompt: 'From elsewhere' });
    await expect(code.sessions.open(person, found)).rejects.toMatchObject({ code: 'not_found' });

    const fork = await code.sessions.fork(other, hers.id);
    expect(existsSync(transcriptPath(home.projects, code.project, fork.id))).toBe(true);
    await talk(other, fork.id, 'And now?', 'Water them.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain('Plant radishes');
    await code.sessions.remove(other, hers.id);
    expect(existsSync(transcriptPath(home.projects, code.project, hers.id))).toBe(false);
  });

  it('is never a way into another one: links in it lead nowhere [code.homes.index]', async () => {
    code = await openCodeHarness();
    const mine = await code.newSession();
    await talk(person, mine.id, 'The word is rhubarb', 'Noted.');
    const file = transcriptPath(code.home.projects, code.project, mine.id);
    const before = await readFile(file, 'utf8');
    const hers = (await code.homes.of(other)).projects;
    const [linkedFile, linkedSide, real] = [randomUUID(), randomUUID(), randomUUID()];
    // A program of hers plants links: to a transcript, to the folder around it, and to files next to one.
    await mkdir(join(hers, 'planted'), { recursive: true });
    await symlink(file, join(hers, 'planted', `${linkedFile}.jsonl`));
    await symlink(join(file, '..'), join(hers, 'folder'));
    await writeFile(
      join(hers, 'planted', `${real}.jsonl`),
      before.replaceAll(mine.id, real).replaceAll('rhubarb', 'x'),
    );
    await symlink(code.root, join(hers, 'planted', real));
    await mkdir(join(hers, 'planted', linkedSide));
    expect(await ids(other)).toEqual([real]);
    expect(await ids(other, 'rhubarb')).toEqual([]);
    for (const id of [linkedFile, mine.id]) {
      await expect(code.sessions.messages(other, id, { limit: 5 })).rejects.toMatchObject({
        code: 'not_found',
      });
      await expect(code.sessions.fork(other, id)).rejects.toMatchObject({ code: 'not_found' });
      await expect(code.sessions.rename(other, id, 'Mine')).rejects.toMatchObject({ code: 'not_found' });
      await expect(code.sessions.remove(other, id)).rejects.toMatchObject({ code: 'not_found' });
    }
    // Parley writes nothing through a link either.
    await expect(code.sessions.archive(other, real, true)).rejects.toThrow('leads elsewhere');
    expect(existsSync(join(code.root, 'archived.json'))).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('keeps a process ready for one person only [code.homes.warm]', async () => {
    code = await openCodeHarness({ warmProcesses: 1 });
    const settings = { workingDir: code.project };
    await code.sessions.prepare(person, settings);
    await code.engine.warmedUp();
    expect(await code.engine.warmId(other, settings)).toBeUndefined();
    const id = await code.engine.warmId(person, settings);
    const { environ, cmdline } = programsIn(code.root).map(readProcess)[0] ?? { environ: '', cmdline: '' };
    expect(cmdline).toContain(id);
    expect(environ).toContain(`HOME=${join(code.root, 'home')}\0`);
  });

  it('gets the sessions that its person started when all shared one home [code.homes.moved]', async () => {
    let known: readonly string[] = [];
    code = await openCodeHarness({
      prepareHome: async (_person, home, ownersHome) => {
        const transfer = { from: ownersHome.config, to: home.config };
        await moveSessions(new Set(known), transfer, (error) => expect.unreachable(String(error)));
      },
    });
    const mine = await code.newSession();
    await talk(person, mine.id, 'Stays', 'Here.');
    // As it was: her session is in the home of the owner, in a file of the program.
    const hers = await code.newSession({}, undefined, other);
    const shared = transcriptPath(code.home.projects, code.project, hers.id);
    const past = (await readFile(transcriptPath(code.home.projects, code.project, mine.id), 'utf8'))
      .replaceAll(mine.id, hers.id)
      .replaceAll('Stays', 'Moves');
    await writeFile(shared, past);
    await mkdir(join(code.home.config, 'file-history', hers.id), { recursive: true });
    known = [hers.id];

    expect(await ids(person)).toEqual([mine.id]);
    expect(await ids(other)).toEqual([hers.id]);
    expect(existsSync(shared)).toBe(false);
    const home = await code.homes.of(other);
    expect(existsSync(join(home.config, 'file-history', hers.id))).toBe(true);
    expect((await talk(other, hers.id, 'Go on', 'Gladly.')).ended.text).toBe('Gladly.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain('Moves');
  });

  it('gets a copy of a session from outside that a chat of its person continues [code.homes.index]', async () => {
    code = await openCodeHarness();
    const id = randomUUID();
    const line = { type: 'user', sessionId: id, cwd: code.project, uuid: randomUUID() };
    const outside = transcriptPath(code.home.projects, code.project, id);
    await mkdir(join(outside, '..'), { recursive: true });
    await writeFile(outside, `${JSON.stringify({ ...line, message: { role: 'user', content: 'Hi' } })}\n`);
    expect(await code.sessions.adopt(other, id)).toMatchObject({ person: other });
    const home = await code.homes.of(other);
    expect(existsSync(transcriptPath(home.projects, code.project, id))).toBe(true);
    expect(existsSync(outside)).toBe(true);
    await eventually(async () => (await ids(other)).includes(id));
    expect(await ids(person)).not.toContain(id);
  });
});

describe('the variables of a home', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'parley-homes-')));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const homesOf = (shareLogin: boolean) =>
    createProgramHomes(
      {
        HOME: join(folder, 'user'),
        XDG_CONFIG_HOME: join(folder, 'user', '.config'),
        ANTHROPIC_AUTH_TOKEN: 'of the user',
      },
      {
        owner: person,
        folderOf: (name) => join(folder, name),
        upstream: { baseUrl: 'https://api.example' },
        shareLogin,
      },
    );

  it('lead to the login and the folders of the user only for the owner [code.homes.login]', async () => {
    const homes = homesOf(false);
    expect((await homes.of(person)).variables).toEqual({ ANTHROPIC_BASE_URL: 'https://api.example' });
    expect((await homes.of(other)).variables).toEqual({
      HOME: join(folder, other),
      CLAUDE_CONFIG_DIR: undefined,
      XDG_CONFIG_HOME: undefined,
      ANTHROPIC_AUTH_TOKEN: undefined,
      ANTHROPIC_BASE_URL: 'https://api.example',
    });
    expect(existsSync((await homes.of(other)).login)).toBe(false);
  });

  it('share the login if that is configured, and leave a login of the person alone [code.homes.login]', async () => {
    const homes = homesOf(true);
    const { login } = await homes.of(person);
    await mkdir(join(folder, 'user', '.claude'), { recursive: true });
    await writeFile(login, '{"shared":true}');
    const hers = await homes.of(other);
    expect(hers.variables).not.toHaveProperty('ANTHROPIC_AUTH_TOKEN');
    expect([await readlink(hers.login), await readFile(hers.login, 'utf8')]).toEqual([
      login,
      '{"shared":true}',
    ]);
    await mkdir(join(folder, 'cleo', '.claude'), { recursive: true });
    await writeFile(join(folder, 'cleo', '.claude', '.credentials.json'), 'own');
    expect(await readFile((await homes.of('cleo')).login, 'utf8')).toBe('own');
  });

  it('never read a file of the home through a link', async () => {
    const hers = await homesOf(false).of(other);
    await writeFile(join(folder, 'secret.json'), '{"secret":"of Parley"}');
    await symlink(join(folder, 'secret.json'), join(folder, other, '.claude.json'));
    await hers.prepareScreen('/work');
    expect(await readFile(join(folder, other, '.claude.json'), 'utf8')).not.toContain('of Parley');
    expect(await readFile(join(folder, 'secret.json'), 'utf8')).toBe('{"secret":"of Parley"}');
  });
});

function readProcess(pid: number): { readonly environ: string; readonly cmdline: string } {
  return {
    environ: readFileSync(`/proc/${pid}/environ`, 'utf8'),
    cmdline: readFileSync(`/proc/${pid}/cmdline`, 'utf8'),
  };
}
