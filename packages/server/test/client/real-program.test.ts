// A conversation with the real `claude` program: live, in the middle of a turn, and from its transcript.
import { type Conversation, type Item, mainThread } from '@parley/client';
import { callTool, createGate, reply, say, think, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRealDoor, type RealDoor } from '../doors/websocket/real-program.ts';
import { person, transcriptLines } from '../engines/claude-code/harness.ts';
import { type ConnectedClient, connectTo } from './harness.ts';

let door: RealDoor;
const connected: ConnectedClient[] = [];

beforeAll(async () => {
  door = await openRealDoor();
});

afterAll(async () => {
  await Promise.all(connected.map((one) => one.close()));
  await door.close();
});

/** A conversation on a page of its own. */
async function open(id: string): Promise<Conversation & Pick<ConnectedClient, 'line' | 'client'>> {
  const one = await connectTo(door.url, { headers: { 'x-notes-person': person } });
  connected.push(one);
  const conversation = one.client.conversation(id);
  conversation.use();
  await expect.poll(() => conversation.snapshot().status).toBe('open');
  return Object.assign(conversation, { line: one.line, client: one.client });
}

const shown = (conversation: Conversation) =>
  conversation.snapshot().view.items.flatMap((item: Item) => {
    if (item.kind === 'tool')
      return [`${item.tool} ${conversation.snapshot().view.tools.get(item.id)?.outcome}`];
    return item.kind === 'prompt' || item.kind === 'text' || item.kind === 'thinking'
      ? [`${item.kind}: ${item.text}`]
      : [];
  });
const ends = (conversation: Conversation) =>
  conversation.snapshot().view.items.filter(({ kind }) => kind === 'end').length;
/** What was said, and where turns ended. */
const said = (conversation: Conversation) =>
  conversation.snapshot().view.items.flatMap((item) => {
    if (item.kind === 'end') return ['end'];
    return item.kind === 'prompt' || item.kind === 'text' ? [`${item.kind}: ${item.text}`] : [];
  });
const costs = (conversation: Conversation) =>
  conversation.snapshot().view.items.flatMap((item) => (item.kind === 'end' ? [item.costUsd ?? 0] : []));
const keys = (conversation: Conversation) =>
  conversation
    .snapshot()
    .view.items.flatMap(({ kind, key }) => (kind === 'end' || kind === 'permission' ? [] : [key]));

describe('a conversation with the real program', () => {
  it('shows the same live, after a break, and from the transcript', async () => {
    const { id } = await door.code.newSession();
    const page = await open(id);
    door.code.standIn.enqueue(
      reply(
        think('Hm.'),
        say('I make a file.'),
        callTool('Bash', { command: 'touch a.txt', description: 'Make it' }),
      ),
      reply('Made.'),
    );
    page.send({ text: 'Make a file', images: [] });
    await expect.poll(() => page.snapshot().view.permissions.length).toBe(1);
    page.line.cut();
    await expect.poll(() => page.snapshot().connection).toBe('lost');
    page.line.repair();
    await expect.poll(() => page.snapshot().connection).toBe('open');
    const [asked] = page.snapshot().view.permissions;
    await page.decide(asked?.id ?? '', { behavior: 'allow', scope: 'once' });
    await expect.poll(() => ends(page)).toBe(1);
    const expected = [
      'prompt: Make a file',
      'thinking: Hm.',
      'text: I make a file.',
      'Bash finished',
      'text: Made.',
    ];
    expect(shown(page)).toEqual(expected);
    expect(page.snapshot()).toMatchObject({ sent: [], generation: 0 });
    expect(page.snapshot().view.settled.get(asked?.request.toolUseId ?? '')).toMatchObject({
      behavior: 'allow',
    });
    const again = await open(id);
    expect(shown(again)).toEqual(expected);
    expect(keys(again)).toEqual(keys(page));
    expect(ends(again)).toBe(1);
    expect(again.snapshot().view.writing.size).toBe(0);
    expect(again.snapshot().view.facts).toMatchObject({
      model: page.snapshot().view.facts.model,
      workingDir: door.code.project,
    });
    expect(again.snapshot().view.usage).toEqual(page.snapshot().view.usage);
  });

  it('shows what was said in a terminal where it belongs, and what each turn cost, even in a fork [code.terminal.take-over] [code.messages.cost-kept]', async () => {
    const { id } = await door.code.newSession();
    const page = await open(id);
    door.code.standIn.enqueue(reply('First.'));
    page.send({ text: 'One', images: [] });
    await expect.poll(() => ends(page)).toBe(1);
    const [first = 0] = costs(page);

    const { terminals } = door.code;
    let screen = '';
    const link = await terminals.attach(person, id, {
      data: (chunk) => {
        screen += Buffer.from(chunk).toString();
        return true;
      },
      ended: () => undefined,
    });
    await expect.poll(() => screen).toMatch(/[❯>]/);
    page.send({ text: 'Three', images: [] });
    await expect.poll(() => ends(page)).toBe(2);
    expect(page.snapshot().view.items.at(-1)).toMatchObject({ error: { code: 'in_terminal' } });
    door.code.standIn.enqueue(reply('Second.'));
    link.write(Buffer.from('Two'));
    await expect.poll(() => screen).toContain('Two');
    link.write(Buffer.from('\r'));
    await expect.poll(async () => (await transcriptLines(door.code, id)).join()).toContain('Second.');
    await page.client.request(`/api/claude/sessions/${id}/terminal`, { method: 'DELETE' });
    page.reopen();
    await expect.poll(() => page.snapshot().status).toBe('open');
    door.code.standIn.enqueue(reply('Third.'));
    page.send({ text: 'Three', images: [] });
    await expect.poll(() => said(page).at(-2)).toBe('text: Third.');

    const expected = [
      'prompt: One',
      'text: First.',
      'end',
      expect.stringContaining('Two'),
      'text: Second.',
      'prompt: Three',
      'text: Third.',
      'end',
    ];
    expect(said(page)).toEqual(expected);
    const again = await open(id);
    expect(said(again)).toEqual(expected);
    expect(costs(again)).toEqual(costs(page));
    expect(costs(again)[0]).toBe(first);
    // The turn in the terminal is not counted again with the next one.
    expect(costs(again)[1]).toBeLessThan(first);
    const fork = await door.code.sessions.fork(person, id);
    const copy = await open(fork.id);
    expect(said(copy)).toEqual(expected);
    expect(costs(copy)).toEqual(costs(page));
  });

  it('is joined in the middle of an answer, and steered', async () => {
    const { id } = await door.code.newSession();
    const page = await open(id);
    const gate = createGate();
    door.code.standIn.enqueue(
      reply(say('First a file.'), callTool('Bash', { command: 'touch b.txt', description: 'Make it' })),
      reply(say('Half of '), wait(gate.opened), say('the answer.')),
    );
    page.send({ text: 'Make another', images: [] });
    await expect.poll(() => page.snapshot().view.permissions.length).toBe(1);
    page.send({ text: 'And hurry', images: [] }, { steer: true });
    // Otherwise the program may ask the model before it has the message.
    await expect
      .poll(() => page.snapshot().sent.every((one) => 'state' in one && one.state === 'taken'))
      .toBe(true);
    await page.decide(page.snapshot().view.permissions[0]?.id ?? '', { behavior: 'allow', scope: 'once' });
    await expect
      .poll(
        () =>
          page
            .snapshot()
            .view.writing.get(mainThread)
            ?.map(({ text }) => text),
        { timeout: 60_000 },
      )
      .toEqual(['Half of ']);
    await expect.poll(() => page.snapshot().sent).toEqual([]);
    const joined = await open(id);
    expect(shown(joined)).toEqual(shown(page));
    expect(joined.snapshot().view).toMatchObject({
      running: page.snapshot().view.running,
      writing: page.snapshot().view.writing,
    });
    gate.open();
    for (const one of [page, joined]) {
      await expect.poll(() => ends(one)).toBe(1);
      expect(shown(one).filter((line) => line.startsWith('prompt'))).toEqual([
        'prompt: Make another',
        'prompt: And hurry',
      ]);
      expect(shown(one).at(-1)).toBe('text: Half of the answer.');
    }
    expect(keys(joined)).toEqual(keys(page));
  });
});
