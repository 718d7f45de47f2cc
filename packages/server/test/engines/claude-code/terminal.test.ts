// The program's own screen: takes input, has several viewers, and never runs together with a turn of the same session.
import { createGate, reply, say, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TerminalLink, TerminalViewer } from '../../../src/domain/terminal.ts';
import { Backlog } from '../../../src/engines/claude-code/terminal/backlog.ts';
import {
  type CodeHarness,
  eventually,
  openCodeHarness,
  person,
  runTurn,
  transcriptLines,
} from './harness.ts';
import { isAlive, programsIn } from './processes.ts';

class Viewer implements TerminalViewer {
  bytes = 0;
  text = '';
  reason: string | undefined;
  isReady = true;
  data(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    this.text += Buffer.from(chunk).toString();
    return this.isReady;
  }
  ended(reason: string): void {
    this.reason = reason;
  }
  /** What is on the screen, without its control sequences. */
  get plain(): string {
    return plain(this.text);
  }
}

/** Matches control sequences and window titles; written as text, because the characters are invisible. */
const control = new RegExp(
  ['\\u001b\\[[0-9;?]*[ -/]*[@-~]', '\\u001b\\][^\\u0007]*\\u0007', '\\s'].join('|'),
  'g',
);

function plain(text: string): string {
  return text.replace(control, '');
}

const type = (link: TerminalLink, text: string) => link.write(Buffer.from(text));

describe('the terminal of a session', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  it('takes input, shows the answer, and keeps running when its viewers leave [code.terminal.bytes] [code.terminal.backlog] [code.session.mode-cli]', async () => {
    const { id } = await code.newSession({ mode: 'cli' });
    const first = new Viewer();
    const link = await code.terminals.attach(person, id, first);
    await eventually(() => first.plain.includes('❯') || first.plain.includes('>'));
    code.standIn.enqueue(reply('The terminal answers.'));
    type(link, 'Say something');
    await eventually(() => first.plain.includes('Saysomething'));
    type(link, '\r');
    await eventually(() => first.plain.includes('Theterminalanswers.'));
    expect(code.engine.statusOf(id)).toBe('active');
    link.detach();
    const seen = first.bytes;

    const late = new Viewer();
    const joined = await code.terminals.attach(person, id, late);
    expect(plain(Buffer.from(joined.backlog).toString())).toContain('Theterminalanswers.');
    expect(joined.backlog.length).toBeLessThanOrEqual(256 * 1024);
    joined.resize(60, 20);
    await eventually(() => late.bytes > 0);
    expect(first.bytes).toBe(seen);
    expect(programsIn(code.root)).toHaveLength(1);
    await eventually(async () =>
      (await transcriptLines(code, id)).some((line) => line.includes('The terminal answers.')),
    );

    // While the screen is open the session belongs to it.
    const refused = await runTurn(code, id, 'From the page');
    expect(refused.ended).toMatchObject({ outcome: 'failed', error: { code: 'in_terminal' } });
    expect(refused.ended.error?.message).toContain('terminal');

    expect(await code.terminals.end(person, id)).toBe(true);
    expect(late.reason).toBe('The terminal was closed.');
    expect(await code.terminals.end(person, id)).toBe(false);
    code.standIn.enqueue(reply('Back on the page.'));
    expect((await runTurn(code, id, 'From the page')).ended.text).toBe('Back on the page.');
    expect(JSON.stringify(code.standIn.conversations.at(-1)?.body.messages)).toContain('Say something');
  });

  it('is open to permitted people, for their own sessions', async () => {
    expect([code.terminals.allows(person), code.terminals.allows('bob')]).toEqual([true, false]);
    const { id } = await code.newSession();
    await expect(code.terminals.attach('bob', id, new Viewer())).rejects.toMatchObject({ code: 'not_found' });
    const own = await code.gateway.createSession('bob', {
      engine: 'claude-code',
      assistant: 'claude-code',
      settings: { workingDir: code.project },
    });
    await expect(code.terminals.attach('bob', own.id, new Viewer())).rejects.toMatchObject({
      code: 'forbidden',
    });
    const outside = await code.newSession({ workingDir: code.root });
    await expect(code.terminals.attach(person, outside.id, new Viewer())).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect(code.engine.statusOf(outside.id)).toBe('archived');
  });

  it('is refused while a turn runs, and ends with its session', async () => {
    const { id } = await code.newSession();
    const gate = createGate();
    code.standIn.enqueue(reply(say('At work'), wait(gate.opened)));
    let refused: Promise<unknown> | undefined;
    await runTurn(code, id, 'Work', {
      onEvent: (event) => {
        if (event.type !== 'text.delta') return;
        refused = code.terminals.attach(person, id, new Viewer()).catch((error: unknown) => error);
        void refused.then(() => gate.open());
      },
    });
    expect(await refused).toMatchObject({ code: 'conflict' });
    const [one, two] = [new Viewer(), new Viewer()];
    const before = programsIn(code.root);
    await Promise.all([code.terminals.attach(person, id, one), code.terminals.attach(person, id, two)]);
    await eventually(() => one.bytes > 0 && two.bytes > 0);
    const screens = programsIn(code.root).filter((pid) => !before.includes(pid));
    expect(screens).toHaveLength(1);
    await code.gateway.deleteSession(person, id);
    expect([one.reason, two.reason]).toEqual(['The session was deleted.', 'The session was deleted.']);
    expect(screens.filter(isAlive)).toEqual([]);
  });
});

describe('a terminal that is opened while something else starts', () => {
  let code: CodeHarness;
  beforeAll(async () => {
    code = await openCodeHarness();
  });
  afterAll(() => code.close());

  it('leaves the session to a turn whose program is still starting', async () => {
    const { id } = await code.newSession();
    code.standIn.enqueue(reply('Up now.'));
    let refused: Promise<unknown> | undefined;
    const { ended } = await runTurn(code, id, 'Work', {
      onEvent: (event) => {
        if (event.type === 'turn.started')
          refused = code.terminals.attach(person, id, new Viewer()).catch((error: unknown) => error);
      },
    });
    expect(await refused).toMatchObject({ code: 'conflict', message: expect.stringMatching(/^A turn is/) });
    expect(ended).toMatchObject({ outcome: 'completed', text: 'Up now.' });
  });

  it('ends when its session is deleted at once', async () => {
    const { id } = await code.newSession({ mode: 'cli' });
    const before = programsIn(code.root);
    const attaching = code.terminals.attach(person, id, new Viewer()).catch((error: unknown) => error);
    await eventually(() => code.engine.statusOf(id) === 'active');
    await code.gateway.deleteSession(person, id);
    await attaching;
    expect(programsIn(code.root).filter((pid) => !before.includes(pid))).toEqual([]);
  });

  it('keeps the title that its session already had', async () => {
    const { id } = await code.sessions.create(person, {
      workingDir: code.project,
      mode: 'cli',
      title: 'Chores',
    });
    const viewer = new Viewer();
    const link = await code.terminals.attach(person, id, viewer);
    await eventually(() => viewer.plain.includes('❯') || viewer.plain.includes('>'));
    code.standIn.enqueue(reply('Done.'));
    type(link, 'Sweep the floor');
    await eventually(() => viewer.plain.includes('Sweepthefloor'));
    type(link, '\r');
    await eventually(async () => (await code.sessions.get(person, id)).firstPrompt !== undefined);
    expect(await code.sessions.get(person, id)).toMatchObject({
      title: 'Chores',
      firstPrompt: 'Sweep the floor',
    });
    await eventually(async () => (await transcriptLines(code, id)).join().includes('"customTitle":"Chores"'));
    await code.terminals.end(person, id);
  });
});

describe('the backlog of a screen', () => {
  it('keeps the newest bytes, and starts at a line once it is cut', () => {
    const backlog = new Backlog(20);
    backlog.push(Buffer.from('first\n'));
    expect(Buffer.from(backlog.read()).toString()).toBe('first\n');
    backlog.push(Buffer.from('half a '));
    backlog.push(Buffer.from('line\nwhole\n'));
    expect(Buffer.from(backlog.read()).toString()).toBe('whole\n');
    backlog.push(Buffer.alloc(100));
    expect(backlog.read().length).toBe(0);
  });
});
