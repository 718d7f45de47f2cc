// How a conversation handles what arrives: when it shows it, what it requests, and how it starts over.
import type { Meaning, PastEntry, SessionEvent } from '@parley/protocol';
import { noUsage } from '@parley/protocol';
import { describe, expect, it } from 'vitest';
import type { Conversation, Environment, PageState } from '../src/index.ts';
import { MemoryServer, sessionId } from './memory-server.ts';

const turnId = '22222222-2222-4222-8222-222222222222';

function line(uuid: string, means: Meaning[]): PastEntry {
  return { at: 1, event: frame(uuid, means) };
}

function frame(uuid: string, means: Meaning[]): SessionEvent {
  return { type: 'frame', raw: '{}', uuid, means };
}

const said = (text: string): Meaning => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'text', text }],
});
const numbers = (length: number) => Array.from({ length }, (_, number) => number);

/** Draws and changes only when a test says so. */
class Page implements Environment {
  pageState: PageState = { online: true, visible: true };
  #report: (pageState: PageState) => void = () => undefined;
  #waiting: (() => void)[] = [];

  readonly watch = (changed: (pageState: PageState) => void) => {
    this.#report = changed;
    changed(this.pageState);
    return () => undefined;
  };

  readonly schedule = (run: () => void) => {
    this.#waiting.push(run);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== run);
    };
  };

  change(pageState: Partial<PageState>): void {
    this.pageState = { ...this.pageState, ...pageState };
    this.#report(this.pageState);
  }

  draw(): boolean {
    const [run, ...rest] = this.#waiting;
    this.#waiting = rest;
    run?.();
    return run !== undefined;
  }
}

async function opened(server: MemoryServer, page?: Page) {
  const client = server.client(page);
  const conversation = client.conversation(sessionId);
  const leave = conversation.use();
  await expect.poll(() => conversation.snapshot().status).toBe('open');
  return { client, conversation, leave };
}

const keys = (conversation: Conversation) => conversation.snapshot().view.items.map(({ key }) => key);

describe('a conversation that is opened', () => {
  it('shows its past, its state and what has happened since in one step', async () => {
    const server = new MemoryServer();
    server.after = 40;
    server.past.push(line('a', [said('one')]), line('b', [said('two')]));
    server.details.running = turnId;
    server.publish({ type: 'turn.started', prompt: [{ type: 'text', text: 'Hi' }], door: 'web' }, turnId);
    server.publish(frame('b', [said('two')]), turnId);
    server.publish(frame('c', [said('three')]), turnId);
    const seen: string[][] = [];
    const conversation = server.client().conversation(sessionId);
    conversation.subscribe(() => seen.push(keys(conversation)));
    conversation.use();
    await expect.poll(() => conversation.snapshot().status).toBe('open');
    expect(new Set(seen.map(String))).toEqual(new Set(['', `a:1,b:1,${turnId}:1,c:1`]));
    expect(conversation.snapshot()).toMatchObject({ openedAt: 43, generation: 0, hasOlder: false });
    expect(conversation.snapshot().view).toMatchObject({ seq: 43, running: turnId });
  });

  it('has no tool at work when no turn is running', async () => {
    const server = new MemoryServer();
    server.past.push(line('a', [{ type: 'tool.started', id: 'use1', tool: 'Bash', input: {} }]));
    const { conversation } = await opened(server);
    expect(conversation.snapshot().view.tools.get('use1')?.outcome).toBe('failed');
  });

  it('shows the model and the mode that were chosen, or else those that the program reported', async () => {
    const server = new MemoryServer();
    server.past.push(line('a', [{ type: 'program', model: 'claude-x', permissionMode: 'default' }]));
    const first = await opened(server);
    expect(first.conversation.snapshot().view.facts).toMatchObject({
      model: 'claude-x',
      permissionMode: 'default',
    });
    const { session } = await first.client.sessions.get(sessionId);
    server.details.session = { ...session, settings: { model: 'opus' } };
    const { conversation } = await opened(server);
    expect(conversation.snapshot().view.facts).toMatchObject({ model: 'opus', permissionMode: 'default' });
    server.publish({ type: 'settings.changed', model: null });
    await expect.poll(() => conversation.snapshot().view.facts.model).toBe('claude-x');
  });

  it('counts the usage of a turn once, whether the server or an event reports it', async () => {
    const usage = { ...noUsage, inputTokens: 7 };
    const server = new MemoryServer();
    server.details.turns = [
      {
        id: turnId,
        door: 'web',
        status: 'completed',
        prompt: { text: 'Hi', images: [] },
        text: '',
        usage,
        after: 0,
        queuedAt: 1,
      },
    ];
    server.publish({ type: 'turn.ended', outcome: 'completed', text: '', usage, durationMs: 1 }, turnId);
    const { conversation } = await opened(server);
    expect(conversation.snapshot().view.usage).toEqual(usage);
  });

  it('shows a sent message until its turn shows it, even if the turn was known before', async () => {
    const server = new MemoryServer();
    server.promptTurn = turnId;
    const turn = { id: turnId, door: 'web', prompt: { text: 'Hi', images: [] }, text: '', usage: noUsage };
    server.details.turns = [{ ...turn, status: 'queued', after: 0, queuedAt: 1 }];
    const { conversation } = await opened(server);
    conversation.send({ text: 'Hi', images: [] });
    await expect.poll(() => conversation.snapshot().sent[0]?.turnId).toBe(turnId);
    server.publish({ type: 'turn.started', prompt: [{ type: 'text', text: 'Hi' }], door: 'web' }, turnId);
    await expect.poll(() => conversation.snapshot().sent).toEqual([]);
    expect(conversation.snapshot().view.items).toMatchObject([{ kind: 'prompt', text: 'Hi' }]);
  });

  it('loads older pages until the start, and a subagent once', async () => {
    const server = new MemoryServer();
    server.past.push(...numbers(450).map((number) => line(`l${number}`, [said('x')])));
    server.subagentPast.set('call', [line('s', [said('from the subagent')])]);
    const { conversation } = await opened(server);
    expect(keys(conversation)).toHaveLength(200);
    await Promise.all([conversation.loadOlder(), conversation.loadOlder()]);
    expect(keys(conversation)).toHaveLength(400);
    await conversation.loadOlder();
    await conversation.loadOlder();
    expect(keys(conversation)).toEqual(numbers(450).map((number) => `l${number}:1`));
    expect(conversation.snapshot()).toMatchObject({ hasOlder: false, isLoadingOlder: false });
    await Promise.all([conversation.loadSubagent('call'), conversation.loadSubagent('call')]);
    expect(conversation.snapshot().view.subagents.get('call')).toMatchObject([{ text: 'from the subagent' }]);
    expect(server.requests.filter((path) => path.includes('subagent'))).toHaveLength(1);
  });
});

describe('a conversation that is followed', () => {
  it('changes once per drawing, in portions when a flood arrives, and at once on a hidden page', async () => {
    const server = new MemoryServer();
    const page = new Page();
    const { conversation } = await opened(server, page);
    let changes = 0;
    conversation.subscribe(() => {
      changes += 1;
    });
    for (const number of numbers(120)) server.publish({ type: 'text.delta', text: `${number} ` });
    expect(changes).toBe(0);
    const seqs: number[] = [];
    while (page.draw()) seqs.push(conversation.snapshot().view.seq);
    expect([seqs, changes]).toEqual([[50, 100, 120], 3]);
    page.change({ visible: false });
    for (const number of numbers(120)) server.publish({ type: 'text.delta', text: `${number} ` });
    page.draw();
    expect(conversation.snapshot().view.seq).toBe(240);
  });

  it('is read again as a whole when the server no longer has the events', async () => {
    const server = new MemoryServer();
    server.past.push(line('a', [said('one')]));
    const { conversation } = await opened(server);
    server.past.push(line('b', [said('two')]));
    server.after = 900;
    server.send({ type: 'ended', session: sessionId, code: 'lagged', message: 'Too late.' });
    expect(conversation.snapshot().status).toBe('open');
    await expect.poll(() => conversation.snapshot().generation).toBe(1);
    expect(keys(conversation)).toEqual(['a:1', 'b:1']);
    server.publish(frame('c', [said('three')]));
    await expect.poll(() => keys(conversation)).toEqual(['a:1', 'b:1', 'c:1']);
  });

  it('subscribes again when the server ends the subscription for now', async () => {
    const server = new MemoryServer();
    const { conversation } = await opened(server);
    server.send({ type: 'ended', session: sessionId, code: 'busy', message: 'Later.' });
    await expect.poll(() => server.received.filter(({ type }) => type === 'subscribe').length).toBe(2);
    server.publish(frame('c', [said('three')]));
    await expect.poll(() => keys(conversation)).toEqual(['c:1']);
  });

  it('reports who else is looking at it, and whether somebody is looking here', async () => {
    const server = new MemoryServer();
    const page = new Page();
    const { conversation } = await opened(server, page);
    server.send({ type: 'presence', session: sessionId, pages: 2, visible: 1 });
    expect(conversation.snapshot().presence).toEqual({ pages: 2, visible: 1 });
    page.change({ visible: false });
    expect(server.received.filter(({ type }) => type === 'presence')).toEqual([
      { type: 'presence', visible: true },
      { type: 'presence', visible: false },
    ]);
  });

  it('reports that its program does not start, until a turn runs', async () => {
    const server = new MemoryServer();
    const { conversation } = await opened(server);
    server.send({ type: 'error', code: 'invalid', message: 'Not about a session.' });
    expect(conversation.snapshot().problem).toBeUndefined();
    server.send({ type: 'error', session: sessionId, code: 'unavailable', message: 'No program.' });
    expect(conversation.snapshot()).toMatchObject({ status: 'open', problem: { message: 'No program.' } });
    server.publish({ type: 'turn.started', prompt: [{ type: 'text', text: 'Hi' }], door: 'web' }, turnId);
    await expect.poll(() => conversation.snapshot().problem).toBeUndefined();
  });

  it('learns what the person may do with it when that changes [team.rights.live]', async () => {
    const server = new MemoryServer();
    server.details.access = 'read';
    const { conversation } = await opened(server);
    expect(conversation.snapshot().access).toBe('read');
    server.details.access = 'participate';
    server.send({ type: 'rights.changed' });
    await expect.poll(() => conversation.snapshot().access).toBe('participate');
  });

  it('drops a silent connection when the network goes away, and resumes when it is back', async () => {
    const server = new MemoryServer();
    const page = new Page();
    const { conversation } = await opened(server, page);
    server.isDown = true;
    page.change({ online: false });
    expect(conversation.snapshot().connection).toBe('lost');
    server.publish({ type: 'text.delta', text: 'missed' });
    server.isDown = false;
    page.change({ online: true });
    await expect.poll(() => conversation.snapshot().connection).toBe('open');
    page.draw();
    expect(conversation.snapshot().view.seq).toBe(1);
  });

  it('closes the connection a moment after the last user has left', async () => {
    const server = new MemoryServer();
    const { client, leave } = await opened(server);
    leave();
    expect(server.received.at(-1)).toEqual({ type: 'unsubscribe', session: sessionId });
    await expect.poll(() => client.connection.snapshot()).toBe('connecting');
  });
});

describe('a client', () => {
  it('keeps the conversations that were asked for last, and those in use', () => {
    const client = new MemoryServer().client();
    const used = client.conversation(sessionId);
    const leave = used.use();
    const others = numbers(8).map((number) => client.conversation(`${number}`));
    expect(client.conversation(sessionId)).toBe(used);
    expect(client.conversation('7')).toBe(others[7]);
    expect(client.conversation('0')).not.toBe(others[0]);
    leave();
    client.forget(sessionId);
    expect(client.conversation(sessionId)).not.toBe(used);
    client.close();
  });

  it('names the person it acts for in every request, and in the address of its socket', async () => {
    const server = new MemoryServer();
    const login = { person: undefined as string | undefined };
    const client = server.client(undefined, () => login.person);
    await client.sessions.get(sessionId);
    login.person = 'petra';
    await client.sessions.get(sessionId);
    const leave = client.conversation(sessionId).use();
    await expect.poll(() => client.connection.snapshot()).toBe('open');
    expect(client.personalAddress('/api/picture')).toBe('http://parley.test/app/api/picture?person=petra');
    leave();
    client.close();
    expect(server.people[0]).toBe(undefined);
    expect(new Set(server.people.slice(1))).toEqual(new Set(['petra']));
    expect(server.socketUrls).toEqual(['ws://parley.test/app/api/live?person=petra']);
  });

  it('says that the login is over', async () => {
    const server = new MemoryServer();
    const { client } = await opened(server);
    const reading = client.notifications()[Symbol.asyncIterator]().next();
    await expect.poll(() => client.connection.snapshot()).toBe('open');
    server.closeSockets(4401);
    await expect(reading).rejects.toMatchObject({ status: 401 });
  });
});
