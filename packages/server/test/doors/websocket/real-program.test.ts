// End to end: the real program, the engine, the gateway, a WebSocket, and back.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { access, chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { callTool, createGate, reply, say, sayInWords, think, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { eventually, openCodeHarness, transcriptLines } from '../../engines/claude-code/harness.ts';
import { programsIn } from '../../engines/claude-code/processes.ts';
import type { Message, PageClient } from './page-client.ts';
import { openRealDoor, type RealDoor } from './real-program.ts';

let door: RealDoor;
let log: string;
beforeAll(async () => {
  const plain = await openCodeHarness();
  const real = await plain.engine.findProgram();
  await plain.close();
  door = await openRealDoor({ program: 'claude-with-a-log' });
  log = join(door.code.root, 'stdout.log');
  // Runs the real program and saves a copy of everything that it writes, by session.
  await writeFile(
    door.code.program,
    `#!/bin/sh\nfor arg; do case "$arg" in --session-id=*|--resume=*) id="\${arg#*=}";; esac; done\nif [ -z "$id" ]; then prev=; for arg; do case "$prev" in --session-id|--resume) id="$arg";; esac; prev="$arg"; done; fi\n'${real}' "$@" | tee -a '${log}'."$id"\n`,
  );
  await chmod(door.code.program, 0o755);
});
afterAll(() => door.close());

const session = async () => (await door.code.newSession()).id;

/** What the program wrote to stdout, except the control protocol. */
async function written(id: string): Promise<string[]> {
  const lines = (await readFile(`${log}.${id}`, 'utf8')).split('\n').filter((line) => line !== '');
  return lines.filter((line) => !(JSON.parse(line) as Message).type?.startsWith('control_'));
}

const patience = { timeout: 60_000 };

/** The program sends one more frame after its result: waits until both sides have it. */
async function sameLength(page: PageClient, id: string): Promise<void> {
  const count = async () => (await written(id)).length;
  await eventually(async () => {
    const before = await count();
    await new Promise((resolve) => setTimeout(resolve, 300));
    return page.frames.length === before && (await count()) === before;
  });
}

const asked = async (page: PageClient, count = 1): Promise<Record<string, unknown>> => {
  await page.until(() => page.ofType('control_request').length >= count);
  return page.ofType('control_request')[count - 1]?.data ?? {};
};

const answer = (page: PageClient, request: Record<string, unknown>, fields: object) =>
  page.send({
    type: 'permission_response',
    requestId: request['request_id'],
    toolName: request['tool_name'],
    alwaysAllow: false,
    ...fields,
  });

const touch = (name: string) => callTool('Bash', { command: `touch ${name}`, description: `Make ${name}` });
const made = (name: string) =>
  access(join(door.code.project, name)).then(
    () => true,
    () => false,
  );

describe('a page on the real program', () => {
  it('gets what the program wrote, byte for byte, and finds the same messages in the transcript [code.proxy.round-trip] [code.proxy.verbatim] [code.proxy.control-stays-inside]', async () => {
    const id = await session();
    const page = await door.open(id);
    for (const text of ['Ünïcödé \u2028 "quotes" \\ 🎈', 'And again']) {
      door.code.standIn.enqueue(reply(think('Hm.'), say(text), touch('round.txt')), reply('Made.'));
      page.prompt(text);
      const turns = page.ofType('result').length + 1;
      const request = await asked(page, turns);
      answer(page, request, { behavior: 'allow' });
      await page.turnsEnded(turns);
    }
    await sameLength(page, id);
    await vi.waitFor(async () => expect(page.frames).toEqual(await written(id)), patience);

    const kept = (await transcriptLines(door.code, id)).map(
      (line) => JSON.parse(line) as Message & { message?: object },
    );
    const said = page.frames
      .map((frame) => JSON.parse(frame) as Message & { message?: object })
      .filter(({ type }) => type === 'assistant' || type === 'user');
    expect(said.length).toBeGreaterThan(8);
    for (const { uuid, message } of said) {
      const line = kept.find((candidate) => candidate.uuid === uuid);
      expect(line, `${uuid} is in the transcript`).toBeDefined();
      expect((line as { message?: { content: unknown } } | undefined)?.message?.content).toEqual(
        (message as { content: unknown }).content,
      );
    }

    const later = await door.open(id);
    await later.until(() => later.texts.length === later.greeting['cached']);
    const seen = later.messages.map(({ uuid }) => uuid).filter((uuid) => uuid !== undefined);
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(said.map(({ uuid }) => uuid)));

    const response = await door.fetch(`/api/claude/sessions/${id}/messages?limit=1000`);
    const { messages } = (await response.json()) as { messages: Message[] };
    expect(messages.map(({ uuid }) => uuid)).toEqual(expect.arrayContaining(said.map(({ uuid }) => uuid)));
  });

  it('learns which models the program offers, and can choose any of them [code.ws.connected] [code.ws.set-model]', async () => {
    const id = await session();
    const page = await door.open(id);
    const models = (data: Message['data']) => data?.['models'] as Record<string, string>[] | undefined;
    const reported = () => models(page.greeting) ?? models(page.ofType('settings_update').at(-1)?.data);
    await page.until(() => reported() !== undefined);
    const offered = reported() ?? [];
    expect(offered.length).toBeGreaterThan(1);
    for (const model of offered) {
      expect(model).toEqual({
        value: expect.stringMatching(/./),
        displayName: expect.stringMatching(/./),
        description: expect.any(String),
      });
      page.send({ type: 'set_model', model: model['value'] });
    }
    const last = offered.at(-1)?.['value'];
    await eventually(async () => (await door.open(id)).greeting['model'] === last);
    expect(page.ofType('error')).toEqual([]);
  });

  it('starts the program when it connects, and another page shares it [code.session.activate-on-connect] [code.session.activate-once]', async () => {
    const id = await session();
    await Promise.all([door.open(id), door.open(id)]);
    await eventually(() => programsIn(door.code.root, id).length > 0);
    await eventually(() => door.code.engine.statusOf(id) === 'active');
    expect(programsIn(door.code.root, id)).toHaveLength(1);
  });

  it('allows, denies with a message, and allows for the session [code.permission.allow] [code.permission.deny-with-message] [code.permission.always-allow]', async () => {
    const id = await session();
    const [page, other] = [await door.open(id), await door.open(id)];
    door.code.standIn.enqueue(reply(touch('denied.txt')), reply('Well then.'));
    page.prompt('Make a file');
    answer(other, await asked(other), { behavior: 'deny', message: 'Not on a Sunday.' });
    await page.turnsEnded();
    expect(await made('denied.txt')).toBe(false);
    expect(page.texts.join('\n')).toContain('Not on a Sunday.');

    door.code.standIn.enqueue(reply(touch('one.txt')), reply(touch('two.txt')), reply('Made both.'));
    page.prompt('Make two files');
    answer(page, await asked(page, 2), { behavior: 'allow', alwaysAllow: true });
    await page.turnsEnded(2);
    expect([await made('one.txt'), await made('two.txt')]).toEqual([true, true]);
    expect(page.ofType('control_request')).toHaveLength(2);
    await other.turnsEnded(2);
    expect(other.ofType('control_settled')).toEqual(page.ofType('control_settled'));
  });

  it('answers a question and accepts a plan in the same process [code.ws.question-answer]', async () => {
    const id = await session();
    const page = await door.open(id);
    const questions = [
      {
        question: 'Red or blue?',
        header: 'Colour',
        multiSelect: false,
        options: [
          { label: 'Red', description: 'Like tomatoes' },
          { label: 'Blue', description: 'Like plums' },
        ],
      },
    ];
    door.code.standIn.enqueue(reply(callTool('AskUserQuestion', { questions })), reply('Red it is.'));
    page.prompt('Ask me');
    const question = await asked(page);
    expect(question).toMatchObject({ tool_name: 'AskUserQuestion', tool_input: { questions } });
    page.send({
      type: 'question_answer',
      questionId: question['request_id'],
      answers: { 'Red or blue?': 'Red' },
    });
    await page.turnsEnded();
    const [first = 0] = programsIn(door.code.root).slice(-1);
    expect(JSON.stringify(door.code.standIn.conversations.at(-1)?.body)).toContain('Red');

    page.send({ type: 'set_permission_mode', mode: 'plan' });
    door.code.standIn.enqueue(
      reply(say('I will plant beans.'), callTool('ExitPlanMode', { plan: 'Plant beans.' })),
      reply('Planted.'),
    );
    page.prompt('Make a plan');
    const plan = await asked(page, 2);
    expect(plan['tool_name']).toBe('ExitPlanMode');
    answer(page, plan, { behavior: 'allow' });
    await page.turnsEnded(2);
    expect(page.texts.join('\n')).toContain('Planted.');
    expect(programsIn(door.code.root)).toContain(first);
  });

  it('interrupts and continues [code.ws.interrupt]', async () => {
    const id = await session();
    const page = await door.open(id);
    door.code.standIn.enqueue(reply(say('I begin'), wait(new Promise(() => undefined))));
    page.prompt('Write a novel');
    await page.until(() => page.texts.some((text) => text.includes('I begin')));
    page.send({ type: 'interrupt' });
    await page.until(() => page.ofType('queue_update').at(-1)?.data?.['running'] === null);
    door.code.standIn.enqueue(reply('Still here.'));
    page.prompt('And now?');
    await page.until(() => page.texts.some((text) => text.includes('Still here.')));
    expect(page.ofType('error')).toEqual([]);
  });

  it('changes the model of the running session [code.ws.set-model]', async () => {
    const id = await session();
    const page = await door.open(id);
    await eventually(() => door.code.engine.statusOf(id) === 'active');
    page.send({ type: 'set_model', model: 'claude-opus-4-5' });
    door.code.standIn.enqueue(reply('As you like.'));
    page.prompt('Who are you?');
    await page.turnsEnded();
    expect(door.code.standIn.conversations.at(-1)?.body.model).toContain('opus');
  });

  it('can disconnect at any moment and misses no frame [code.ws.resume] [code.ws.uuid-dedupe]', async () => {
    const id = await session();
    const steady = await door.open(id);
    const gates = Array.from({ length: 6 }, () => createGate());
    door.code.standIn.enqueue(
      reply(...gates.flatMap((gate, index) => [say(`word${index} `), wait(gate.opened)]), say('the end')),
    );
    let page = await door.open(id);
    const seen: string[] = [];
    page.prompt('Say something');
    for (const [index, gate] of gates.entries()) {
      await page.until(
        () =>
          page.texts.some((text) => text.includes(`word${index} `)) ||
          seen.some((text) => text.includes(`word${index} `)),
      );
      const { after } = page;
      seen.push(...page.frames.filter((frame) => !seen.includes(frame)));
      page.drop();
      gate.open();
      page = await door.open(id, after);
      expect(page.greeting['reset']).toBe(false);
    }
    await page.until(() => page.ofType('queue_update').at(-1)?.data?.['running'] === null);
    // Frames after the last number that the page saw are sent again.
    seen.push(...page.frames.filter((frame) => !seen.includes(frame)));
    await steady.until(() => steady.frames.length >= seen.length);
    expect(seen).toEqual(steady.frames);
  });

  it('gets an error when the program is killed, and the next prompt continues the conversation [code.ws.error]', async () => {
    const id = await session();
    const page = await door.open(id);
    door.code.standIn.enqueue(reply('First.'), reply(touch('never.txt')));
    page.prompt('Hello');
    await page.turnsEnded();
    page.prompt('Make a file');
    await asked(page);
    const mine = programsIn(door.code.root).filter((pid) => isOf(pid, id));
    expect(mine.length).toBeGreaterThan(0);
    for (const pid of mine) process.kill(pid, 'SIGKILL');
    await page.until(() => page.ofType('control_settled').length === 1);
    await page.until(() => page.ofType('error').length === 1);
    expect(page.ofType('control_settled')[0]?.data).toMatchObject({ behavior: 'deny' });
    expect(await made('never.txt')).toBe(false);
    door.code.standIn.enqueue(reply('Back again.'));
    page.prompt('Are you there?');
    await page.until(() => page.texts.some((text) => text.includes('Back again.')));
    expect(JSON.stringify(door.code.standIn.conversations.at(-1)?.body)).toContain('First.');
  });

  it('works while several other programs run', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, session));
    const pages = await Promise.all(ids.map((id) => door.open(id)));
    door.code.standIn.enqueue(...ids.map(() => reply(sayInWords('some words to say in a stream'))));
    for (const page of pages) page.prompt('Go');
    await Promise.all(pages.map((page) => page.turnsEnded()));
    for (const [index, id] of ids.entries()) {
      const page = pages[index];
      if (!page) throw new Error('a page is missing');
      await sameLength(page, id);
      await vi.waitFor(async () => expect(page.frames).toEqual(await written(id)), patience);
    }
  });
});

describe('a terminal of the real program', () => {
  it('sees the program’s own screen, types into it and changes its size [code.session.mode-cli] [code.terminal.bytes] [code.terminal.resize]', async () => {
    const plain = await openRealDoor();
    const response = await plain.fetch('/api/claude/sessions', {
      method: 'POST',
      body: { workingDir: plain.code.project, mode: 'cli' },
    });
    const { id } = (await response.json()) as { id: string };
    const socket = plain.terminal(id);
    let screen = '';
    socket.on('message', (bytes) => {
      screen += (bytes as Buffer).toString();
    });
    await eventually(() => /[❯>]/.test(screen));
    const [pid = 0] = programsIn(plain.code.root);
    expect(terminalSize(pid)).toBe('40 120');
    socket.send('{"type":"resize","cols":97,"rows":31}');
    await eventually(() => terminalSize(pid) === '31 97');
    // The last change wins.
    const second = plain.terminal(id);
    await once(second, 'open');
    second.send('{"type":"resize","cols":61,"rows":23}');
    await eventually(() => terminalSize(pid) === '23 61');
    second.terminate();
    socket.send(Buffer.from('Beans'));
    await eventually(() => screen.includes('Beans'));
    expect(plain.code.engine.statusOf(id)).toBe('active');
    socket.terminate();
    await plain.close();
  });
});

/** Rows and columns, as the program gets them from its terminal. */
function terminalSize(pid: number): string {
  const terminal = openSync(`/proc/${pid}/fd/0`, constants.O_RDONLY | constants.O_NOCTTY);
  try {
    return execFileSync('stty', ['size'], { stdio: [terminal, 'pipe', 'pipe'], encoding: 'utf8' }).trim();
  } finally {
    closeSync(terminal);
  }
}

function isOf(pid: number, id: string): boolean {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(id);
}
