// When processes start and end: sleeping and waking, lasting settings, crashes, and how many there may be.
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProvider } from '@parley/claude-cli';
import { callTool, createGate, httpError, reply, say, wait } from '@parley/stand-ins';
import { afterEach, describe, expect, it } from 'vitest';
import { usualWarmProcesses } from '../../../src/app/claude-code.ts';
import {
  type CodeHarness,
  type CodeHarnessOptions,
  eventually,
  openCodeHarness,
  person,
  runTurn,
} from './harness.ts';
import { isAlive, programsIn } from './processes.ts';

describe('processes of Claude Code', () => {
  let code: CodeHarness;
  afterEach(() => code.close());
  const open = async (options?: CodeHarnessOptions) => {
    code = await openCodeHarness(options);
    return code;
  };

  it('does not start the program for a session that is only created [code.session.create-is-lazy]', async () => {
    await open();
    const { id } = await code.newSession();
    expect(code.engine.statusOf(id)).toBe('archived');
    expect(programsIn(code.root)).toEqual([]);
  });

  it('shares one process between clients that arrive at the same time [code.session.activate-once]', async () => {
    await open();
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('Hello.'));
    await Promise.all([
      code.gateway.wake(person, id),
      code.gateway.wake(person, id),
      runTurn(code, id, 'Hi'),
    ]);
    expect(programsIn(code.root)).toHaveLength(1);
  });

  it('puts an idle process to sleep and resumes the session with the next prompt [code.session.sleep-and-wake] [code.session.resume-own-directory]', async () => {
    await open({ idleMs: 50 });
    const below = join(code.project, 'below');
    await mkdir(below);
    const { id } = await code.newSession({ workingDir: below });
    code.standIn.enqueue(reply('First.'));
    const first = await runTurn(code, id, 'One');
    await eventually(() => code.engine.statusOf(id) === 'archived');
    await eventually(() => programsIn(code.root).length === 0);

    code.standIn.enqueue(reply('Second.'));
    const second = await runTurn(code, id, 'Two');
    expect(second.ended.text).toBe('Second.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain('First.');
    const init = second.frames.map((raw) => JSON.parse(raw)).find(({ subtype }) => subtype === 'init');
    expect(init).toMatchObject({ session_id: id, cwd: below });
    // The program continues its total in the next process: a turn's cost is what it added.
    expect(second.ended.usage.costUsd).toBeGreaterThan(0);
    expect(second.ended.usage.costUsd).toBeLessThan(first.ended.usage.costUsd);
  });

  it('keeps the chosen model and mode, at once and after a sleep', async () => {
    await open();
    const { id } = await code.newSession({ model: 'sonnet' });
    const turn = async (text: string) => {
      code.standIn.enqueue(reply('Yes.'));
      const { frames } = await runTurn(code, id, text);
      const { model, permissionMode } = frames
        .map((raw) => JSON.parse(raw))
        .find(({ subtype }) => subtype === 'init');
      return { model: model as string, permissionMode: permissionMode as string };
    };
    expect((await turn('One')).model).toContain('sonnet');
    await code.gateway.configure(person, id, { model: 'opus', permissionMode: 'acceptEdits' });
    const live = await turn('Two');
    expect(live).toEqual({ model: expect.stringContaining('opus'), permissionMode: 'acceptEdits' });

    // The program can only enter this mode when it starts.
    await code.gateway.configure(person, id, { permissionMode: 'bypassPermissions' });
    expect(await turn('Three')).toEqual({ model: live.model, permissionMode: 'bypassPermissions' });
  });

  it('refuses an invalid model or mode and changes nothing', async () => {
    await open();
    const session = await code.newSession();
    for (const settings of [{ model: '--dangerous flag' }, { permissionMode: 'anything goes' }]) {
      await expect(code.gateway.configure(person, session.id, settings)).rejects.toMatchObject({
        code: 'invalid',
      });
    }
    expect((await code.gateway.getSession(person, session.id)).settings).toEqual(session.settings);
  });

  it('fails the turn with an error message when the program is killed, and continues with the next prompt [code.session.status]', async () => {
    await open();
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('Before.'));
    await runTurn(code, id, 'One');
    expect(code.engine.statusOf(id)).toBe('active');
    code.standIn.enqueue(reply(say('I begin'), wait(new Promise(() => undefined))));
    const killed = await runTurn(code, id, 'Two', {
      onEvent: (event) => {
        if (event.type === 'text.delta')
          for (const pid of programsIn(code.root)) process.kill(pid, 'SIGKILL');
      },
    });
    expect(killed.ended).toMatchObject({
      outcome: 'failed',
      text: 'I begin',
      error: { code: 'unavailable', recoverable: true },
    });
    expect(killed.ended.error?.message).toMatch(/SIGKILL.*Send the message again/);
    expect(code.engine.statusOf(id)).toBe('dead');

    code.standIn.enqueue(reply('After.'));
    expect((await runTurn(code, id, 'Three')).ended.text).toBe('After.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain('Before.');
    expect(code.engine.statusOf(id)).toBe('active');
  });

  it('puts the longest idle process to sleep to make room, and lets a turn wait when all are busy', async () => {
    await open({ maxProcesses: 2 });
    const [one, two, three] = [await code.newSession(), await code.newSession(), await code.newSession()];
    for (const { id } of [one, two]) {
      code.standIn.enqueue(reply('Here.'));
      await runTurn(code, id, 'Come');
    }
    const gate = createGate();
    code.standIn.enqueue(reply(say('Busy'), wait(gate.opened)));
    const third = runTurn(code, three.id, 'Work');
    await eventually(() => code.engine.statusOf(three.id) === 'active');
    expect(code.engine.statusOf(one.id)).toBe('archived');
    expect(code.engine.statusOf(two.id)).toBe('active');

    code.standIn.enqueue(reply(say('Busy too'), wait(gate.opened)));
    const second = runTurn(code, two.id, 'Work');
    await code.standIn.waitForRequest((request) => JSON.stringify(request.body.messages).includes('Here.'));
    const first = runTurn(code, one.id, 'Me too');
    await eventually(async () => (await code.gateway.state(person, one.id)).ahead === 0);
    // Looking at a session needs no process.
    await code.gateway.wake(person, one.id);
    const viewer = { data: () => true, ended: () => undefined };
    await expect(code.terminals.attach(person, one.id, viewer)).rejects.toMatchObject({ code: 'busy' });
    code.standIn.enqueue(reply('Here again.'));
    gate.open();
    const turns = await Promise.all([first, second, third]);
    expect(turns.map(({ ended }) => ended.outcome)).toEqual(['completed', 'completed', 'completed']);
    expect(programsIn(code.root).length).toBeLessThanOrEqual(2);
  });

  it('lets others work while a turn waits for a decision, and has room for its process afterwards', async () => {
    await open({ maxProcesses: 1 });
    const [one, two] = [await code.newSession(), await code.newSession()];
    code.standIn.enqueue(reply(callTool('Bash', { command: 'touch made.txt' })));
    const asking = runTurn(code, one.id, 'Make it');
    await eventually(async () => (await code.gateway.state(person, one.id)).permissions.length === 1);
    code.standIn.enqueue(reply('Meanwhile.'));
    expect((await runTurn(code, two.id, 'Hi')).ended.text).toBe('Meanwhile.');

    const { permissions } = await code.gateway.state(person, one.id);
    code.standIn.enqueue(reply('Made.'));
    const decision = { behavior: 'allow', scope: 'once' } as const;
    await code.gateway.decide(person, one.id, permissions[0]?.id ?? '', decision);
    expect((await asking).ended).toMatchObject({ outcome: 'completed', text: 'Made.' });
    code.standIn.enqueue(reply('Again.'));
    expect((await runTurn(code, two.id, 'Hi')).ended.text).toBe('Again.');
    await eventually(() => programsIn(code.root).length === 1);
  });

  it('answers a prompt whose session is being woken when the last place is taken', async () => {
    await open({ maxProcesses: 1 });
    const [one, two] = [await code.newSession(), await code.newSession()];
    code.standIn.enqueue(reply('First.'));
    await runTurn(code, one.id, 'Hi');
    code.standIn.enqueue(reply('Second.'));
    const waking = code.gateway.wake(person, two.id);
    expect((await runTurn(code, two.id, 'Hi')).ended.text).toBe('Second.');
    await waking;
  });

  it.each([1, 2])('opens a terminal in the last of %i places', async (maxProcesses) => {
    await open({ maxProcesses });
    const gate = createGate();
    code.standIn.enqueue(reply(say('Busy'), wait(gate.opened)));
    const busy = await code.newSession();
    const turn = maxProcesses > 1 ? runTurn(code, busy.id, 'Work') : undefined;
    if (turn) await eventually(() => code.standIn.conversations.length > 0);
    const { id } = await code.newSession({ mode: 'cli' });
    let bytes = 0;
    const viewer = { data: (chunk: Uint8Array) => (bytes += chunk.length) > 0, ended() {} };
    await code.terminals.attach(person, id, viewer);
    await eventually(() => bytes > 0);
    gate.open();
    await turn;
  });

  it('lets a prompt wait while a process that cannot run turns works on something of its own', async () => {
    await open({ program: 'claude.js' });
    const program = createProvider({ environment: process.env }).findProgram();
    await writeFile(code.program, busyProgram(program, join(code.root, 'go')), { mode: 0o755 });
    const { id } = await code.newSession();
    code.standIn.enqueue(httpError(400, 'invalid_request_error', 'Not now.'));
    expect((await runTurn(code, id, 'Add eggs')).ended.outcome).toBe('failed');
    await code.engine.rest(id);
    await code.gateway.wake(person, id);
    const gate = createGate();
    code.standIn.enqueue(reply(say('On my own'), wait(gate.opened)), reply('Added.'));
    await writeFile(join(code.root, 'go'), '');
    await eventually(() => code.engine.isWorking(id));
    const turn = runTurn(code, id, 'Add milk', {
      onEvent: (event) => {
        if (event.type === 'turn.started') setImmediate(() => gate.open());
      },
    });
    expect((await turn).ended).toMatchObject({ outcome: 'completed', text: 'Added.' });
  });

  it('keeps a process ready for a new session, and replaces it when it is used', async () => {
    await open({ warmProcesses: 1, maxProcesses: 3 });
    const create = () => code.sessions.create(person, { workingDir: code.project, mode: 'ui' });
    const first = await create();
    await code.engine.warmedUp();
    const [waiting] = programsIn(code.root);
    const second = await create();
    expect(second.id).not.toBe(first.id);
    code.standIn.enqueue(reply('At once.'), reply('As well.'));
    expect((await runTurn(code, second.id, 'Hi')).ended.text).toBe('At once.');
    await code.engine.warmedUp();
    const now = programsIn(code.root);
    expect(now).toContain(waiting);
    expect(now).toHaveLength(2);

    // A waiting process makes room for a used one, and does not serve other settings.
    expect((await runTurn(code, first.id, 'Hi')).ended.text).toBe('As well.');
    const other = await code.sessions.create(person, {
      workingDir: code.project,
      mode: 'ui',
      config: { effort: 'low' },
    });
    code.standIn.enqueue(reply('Cold.'));
    expect((await runTurn(code, other.id, 'Hi')).ended.text).toBe('Cold.');
    expect(programsIn(code.root).length).toBeLessThanOrEqual(3);
  });

  it('starts a process for a session that is about to be created, and gives it to that session', async () => {
    await open({ warmProcesses: 1 });
    const wanted = { workingDir: code.project, config: { permissionMode: 'acceptEdits' } };
    await code.sessions.prepare(person, wanted);
    await code.sessions.prepare(person, wanted);
    // It need not be ready yet.
    const { id } = await code.sessions.create(person, { ...wanted, mode: 'ui' });
    const [prepared, ...others] = programsIn(code.root);
    expect(others).toEqual([]);
    code.standIn.enqueue(reply('At once.'));
    expect((await runTurn(code, id, 'Hi')).ended.text).toBe('At once.');
    expect(programsIn(code.root)).toContain(prepared);
    await code.gateway.deleteSession(person, id);
    expect(programsIn(code.root)).not.toContain(prepared);
    await expect(code.sessions.prepare(person, { workingDir: code.root })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('ends the process of a session that is deleted before its first prompt', async () => {
    await open({ warmProcesses: 1 });
    await code.sessions.prepare(person, { workingDir: code.project });
    const { id } = await code.sessions.create(person, { workingDir: code.project, mode: 'ui' });
    expect(programsIn(code.root, id)).toHaveLength(1);
    await code.gateway.deleteSession(person, id);
    expect(programsIn(code.root, id)).toEqual([]);
  });

  it('counts a turn whose program is still starting as work in its folder', async () => {
    const [asked, gate] = [createGate(), createGate()];
    await open({
      prepareHome: async (name) => {
        if (name === person) return;
        asked.open();
        await gate.opened;
      },
    });
    const { id } = await code.newSession({}, undefined, 'bob');
    code.standIn.enqueue(reply('Done.'));
    const turn = runTurn(code, id, 'Work', { as: 'bob' });
    await asked.opened;
    const works = async () =>
      Promise.all(
        [code.root, code.project, join(code.project, 'other')].map((folder) =>
          code.engine.isWorkingIn(folder),
        ),
      );
    expect(await works()).toEqual([true, true, false]);
    await expect(code.sessions.rewind('bob', id, 'any', true)).rejects.toMatchObject({ code: 'conflict' });
    gate.open();
    await turn;
    await eventually(() => !code.engine.isWorking(id));
    expect(await works()).toEqual([false, false, false]);
  });

  it('keeps no process ready when memory is short', async () => {
    await open({ warmProcesses: 1, freeMemory: 900 * 1024 * 1024 });
    await code.sessions.prepare(person, { workingDir: code.project });
    await code.engine.warmedUp();
    expect(programsIn(code.root)).toEqual([]);
    expect([2, 4, 64].map((gigabytes) => usualWarmProcesses(gigabytes * 1024 ** 3))).toEqual([0, 1, 1]);
  });

  it('runs only in allowed folders, judged by the real path [code.session.work-roots]', async () => {
    await open();
    const outside = join(code.root, 'outside');
    await mkdir(outside);
    await symlink(outside, join(code.project, 'way-out'));
    for (const workingDir of [
      outside,
      join(code.project, 'way-out'),
      join(code.project, '..'),
      `${code.project}-evil`,
    ]) {
      const { id } = await code.newSession({ workingDir });
      const { ended } = await runTurn(code, id, 'Hi');
      expect(ended).toMatchObject({ outcome: 'failed', error: { code: 'forbidden' } });
      expect(ended.error?.message).toContain('PARLEY_WORK_ROOTS');
      await expect(code.gateway.wake(person, id)).rejects.toMatchObject({ code: 'forbidden' });
    }
    expect(programsIn(code.root)).toEqual([]);
  });

  it('ends the process of a deleted session, and all processes when the server stops', async () => {
    await open();
    const [one, two] = [await code.newSession(), await code.newSession()];
    await Promise.all([code.gateway.wake(person, one.id), code.gateway.wake(person, two.id)]);
    const before = programsIn(code.root);
    expect(before).toHaveLength(2);
    await code.gateway.deleteSession(person, one.id);
    expect(programsIn(code.root)).toHaveLength(1);
    await code.engine.close();
    expect(before.filter(isAlive)).toEqual([]);
  });

  it('starts no process for a session that is deleted just before', async () => {
    const [asked, gate] = [createGate(), createGate()];
    await open({
      prepareHome: async (name) => {
        if (name === person) return;
        asked.open();
        await gate.opened;
      },
    });
    const { id } = await code.newSession({}, undefined, 'bob');
    const waking = code.gateway.wake('bob', id);
    await asked.opened;
    await code.gateway.deleteSession('bob', id);
    gate.open();
    await expect(waking).rejects.toMatchObject({ code: 'not_found' });
    expect(code.engine.statusOf(id)).toBe('archived');
    expect(programsIn(code.root)).toEqual([]);
  });

  it('says what is wrong when the program is missing, and soon stops trying', async () => {
    await open({ program: '/nowhere/claude' });
    const { id } = await code.newSession();
    const failed = await runTurn(code, id, 'Hi');
    expect(failed.ended.error).toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('/nowhere/claude'),
    });
    expect(code.engine.statusOf(id)).toBe('dead');
    for (let attempt = 0; attempt < 2; attempt += 1) await runTurn(code, id, 'Hi');
    expect((await runTurn(code, id, 'Hi')).ended.error?.message).toMatch(/Try again in \d+ s/);
  });
});

/** The program, but with a prompt that nobody sent as soon as the file `go` exists, like a schedule of its own. */
function busyProgram(program: string, go: string): string {
  const prompt = { type: 'user', message: { role: 'user', content: 'Look around' } };
  return `
    const { spawn } = require('node:child_process');
    const { existsSync, rmSync } = require('node:fs');
    const child = spawn(${JSON.stringify(program)}, process.argv.slice(2), { stdio: ['pipe', 'inherit', 'inherit'] });
    process.stdin.pipe(child.stdin);
    child.on('exit', (code) => process.exit(code ?? 1));
    setInterval(() => {
      if (!existsSync(${JSON.stringify(go)})) return;
      rmSync(${JSON.stringify(go)});
      child.stdin.write(${JSON.stringify(`${JSON.stringify(prompt)}
`)});
    }, 20).unref();
  `;
}
