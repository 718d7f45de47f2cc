// A conversation of the client against the real server: opening, following, sending, breaking.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type Conversation, type ConversationView, emptyView, foldEntries } from '@parley/client';
import type { EngineEvent, Envelope } from '@parley/protocol';
import { freePort } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EngineTurn } from '../../src/domain/engine.ts';
import { type DoorHarness, startDoor } from '../doors/http/door-harness.ts';
import { type ConnectedClient, connectTo, transports } from './harness.ts';

let door: DoorHarness;
const connected: ConnectedClient[] = [];

beforeAll(async () => {
  door = await startDoor();
  door.engine.scripts.set('count', count);
  door.engine.scripts.set('wait', wait);
  door.engine.scripts.set('ask', ask);
});

afterAll(async () => {
  await Promise.all(connected.map((one) => one.close()));
  await door.stop();
});

async function* count(): AsyncGenerator<EngineEvent, void, undefined> {
  const numbers = Array.from({ length: 100 }, (_, number) => `${number} `);
  for (const text of numbers) {
    yield { type: 'text.delta', text };
    await setTimeout(2);
  }
  yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: numbers.join('') }] };
}

async function* wait({ signal }: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  yield { type: 'text.delta', text: 'Waiting' };
  await new Promise((resolve) => {
    signal.addEventListener('abort', resolve);
  });
}

async function* ask(turn: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
  yield { type: 'tool.started', id: 'use1', tool: 'post', input: {} };
  const { behavior } = await turn.askPermission({ tool: 'post', input: {}, toolUseId: 'use1' });
  yield {
    type: 'tool.ended',
    id: 'use1',
    tool: 'post',
    outcome: behavior === 'allow' ? 'finished' : 'failed',
  };
}

async function connect(...args: Parameters<typeof connectTo>): Promise<ConnectedClient> {
  const one = await connectTo(...args);
  connected.push(one);
  return one;
}

const words = ({ items }: ConversationView) =>
  items.flatMap((item) => (item.kind === 'prompt' || item.kind === 'text' ? [item.text] : []));
const ends = ({ items }: ConversationView) => items.filter(({ kind }) => kind === 'end').length;
const send = (conversation: Conversation, text: string) => conversation.send({ text, images: [] });

async function untilEnds(conversation: Conversation, wanted: number): Promise<ConversationView> {
  await expect.poll(() => ends(conversation.snapshot().view)).toBe(wanted);
  return conversation.snapshot().view;
}

describe.each(transports)('a conversation over %s', (transport) => {
  async function begin(options: Parameters<typeof connectTo>[1] = {}) {
    const one = await connect(door.url, { transport, ...options });
    const { id } = await one.client.sessions.create({ assistant: 'notes' });
    const conversation = one.client.conversation(id);
    return { ...one, id, conversation, leave: conversation.use() };
  }

  it('shows what is sent at once, and then what becomes of it', async () => {
    const { conversation, client, id } = await begin();
    send(conversation, 'Hello');
    expect(conversation.snapshot().sent).toMatchObject([{ text: 'Hello', error: undefined }]);
    const view = await untilEnds(conversation, 1);
    expect(words(view)).toEqual(['Hello', 'You said: Hello']);
    expect(conversation.snapshot()).toMatchObject({ status: 'open', connection: 'open', sent: [] });
    expect(conversation.snapshot().session?.id).toBe(id);
    expect(client.conversation(id)).toBe(conversation);
  });

  it('shows the same after breaks as without any [kitchen.ui.reconnect]', async () => {
    const { conversation, line, id } = await begin();
    send(conversation, 'count');
    for (let cut = 0; cut < 4; cut += 1) {
      await setTimeout(50);
      line.cut();
      await setTimeout(20);
      line.repair();
    }
    const view = await untilEnds(conversation, 1);
    const log: Envelope[] = [];
    for await (const envelope of door.gateway.subscribe('sebastian', id, { after: 0 })) {
      log.push(envelope);
      if (envelope.seq === view.seq) break;
    }
    expect(view.items).toEqual(foldEntries(emptyView, log).items);
    expect(conversation.snapshot()).toMatchObject({ generation: 0, sent: [] });
  });

  it('shows a running turn as a whole when it is opened in the middle', async () => {
    const { conversation, client, id } = await begin();
    send(conversation, 'Hello');
    await untilEnds(conversation, 1);
    send(conversation, 'wait');
    await expect.poll(() => conversation.snapshot().view.writing.size).toBe(1);
    const other = await connect(door.url, { transport });
    const opened = other.client.conversation(id);
    opened.use();
    await expect.poll(() => opened.snapshot().status).toBe('open');
    expect(opened.snapshot().view).toMatchObject({ running: conversation.snapshot().view.running });
    expect(words(opened.snapshot().view)).toEqual(['Hello', 'You said: Hello', 'wait']);
    expect(opened.snapshot().view.writing).toEqual(conversation.snapshot().view.writing);
    await opened.stop();
    const view = await untilEnds(opened, 2);
    expect(words(view).at(-1)).toBe('Waiting');
    expect(view.items.at(-1)).toMatchObject({ kind: 'end', outcome: 'interrupted' });
    expect(view.usage).toEqual((await client.sessions.get(id)).usage);
  });

  it('is forked once per key', async () => {
    const { conversation, client, id } = await begin();
    send(conversation, 'Hello');
    await untilEnds(conversation, 1);
    const fork = (key?: string) => client.sessions.fork(id, undefined, key);
    const first = await fork(`fork-over-${transport}`);
    expect((await fork(`fork-over-${transport}`)).id).toBe(first.id);
    expect((await fork()).id).not.toBe(first.id);
  });

  it('sends a prompt once when the connection comes back', async () => {
    const { conversation, line } = await begin();
    await expect.poll(() => conversation.snapshot().connection).toBe('open');
    line.cut();
    send(conversation, `away over ${transport}`);
    send(conversation, `second over ${transport}`);
    await expect.poll(() => conversation.snapshot().sent[0]?.error?.code).toBe('offline');
    expect(conversation.snapshot().connection).toBe('lost');
    line.repair();
    const view = await untilEnds(conversation, 2);
    expect(words(view).filter((text) => !text.startsWith('You'))).toEqual([
      `away over ${transport}`,
      `second over ${transport}`,
    ]);
    expect(door.engine.prompts.filter((text) => text === `away over ${transport}`)).toHaveLength(1);
    expect(conversation.snapshot().sent).toEqual([]);
  });

  it('sends a prompt again automatically when only its request was lost', async () => {
    let lost = 0;
    const { conversation } = await begin({
      fetch: async (input, init) => {
        const response = await fetch(input, init);
        // The server has taken it, and the answer is lost.
        if (typeof input !== 'string' || !input.endsWith('/prompts') || lost > 1) return response;
        lost += 1;
        throw new TypeError('fetch failed');
      },
    });
    send(conversation, `lost over ${transport}`);
    await untilEnds(conversation, 1);
    await expect.poll(() => conversation.snapshot().sent).toEqual([]);
    expect(lost).toBe(2);
    expect(door.engine.prompts.filter((text) => text === `lost over ${transport}`)).toHaveLength(1);
  });

  it('keeps a refused prompt until somebody changes or discards it', async () => {
    const { conversation } = await begin();
    send(conversation, 'x'.repeat(2_000));
    await expect.poll(() => conversation.snapshot().sent[0]?.error?.status).toBe(413);
    const key = conversation.snapshot().sent[0]?.key ?? '';
    conversation.retry(key);
    expect(conversation.snapshot().sent[0]?.error).toBeUndefined();
    await expect.poll(() => conversation.snapshot().sent[0]?.error?.status).toBe(413);
    expect(conversation.discard(key)?.text).toHaveLength(2_000);
    expect(conversation.snapshot().sent).toEqual([]);
  });

  it('queues, reorders and withdraws prompts', async () => {
    const { conversation } = await begin();
    const queued = () => conversation.snapshot().view.queue.map(({ prompt }) => prompt.text);
    send(conversation, 'wait');
    for (const text of ['one', 'two', 'three']) send(conversation, text);
    await expect.poll(queued).toEqual(['one', 'two', 'three']);
    expect(conversation.snapshot().sent).toEqual([]);
    const [one, two, three] = conversation.snapshot().view.queue.map(({ turnId }) => turnId);
    await conversation.reorder([three ?? '', two ?? '', one ?? '']);
    await expect.poll(queued).toEqual(['three', 'two', 'one']);
    await conversation.withdraw(two ?? '');
    await expect.poll(queued).toEqual(['three', 'one']);
    await conversation.stop();
    expect(words(await untilEnds(conversation, 3))).toEqual([
      'wait',
      'Waiting',
      'three',
      'You said: three',
      'one',
      'You said: one',
    ]);
  });

  it('asks for permissions and decides them', async () => {
    const { conversation } = await begin();
    send(conversation, 'ask');
    await expect.poll(() => conversation.snapshot().view.permissions.length).toBe(1);
    const [permission] = conversation.snapshot().view.permissions;
    await conversation.decide(permission?.id ?? '', { behavior: 'allow', scope: 'once' });
    const view = await untilEnds(conversation, 1);
    expect(view.settled.get('use1')).toEqual({ behavior: 'allow', reason: 'decided' });
    expect(view.tools.get('use1')?.outcome).toBe('finished');
    await expect(conversation.decide(permission?.id ?? '', { behavior: 'deny' })).rejects.toMatchObject({
      status: 404,
    });
  });

  it('changes the title and the model', async () => {
    const { conversation, client, id } = await begin();
    await expect.poll(() => conversation.snapshot().status).toBe('open');
    await conversation.configure({ title: 'Beds', model: 'claude-second' });
    expect(conversation.snapshot().session?.title).toBe('Beds');
    await expect.poll(() => conversation.snapshot().view.facts.model).toBe('claude-second');
    expect((await client.sessions.get(id)).session.title).toBe('Beds');
  });

  it('resumes without a gap after everybody had left it', async () => {
    const { conversation, leave, id, client } = await begin();
    send(conversation, 'one');
    await untilEnds(conversation, 1);
    leave();
    await client.sessions.prompt(id, { text: 'two', images: [] }, { key: crypto.randomUUID() });
    await expect.poll(async () => (await client.sessions.get(id)).turns.at(-1)?.status).toBe('completed');
    expect(ends(conversation.snapshot().view)).toBe(1);
    conversation.use();
    expect(words(await untilEnds(conversation, 2))).toEqual(['one', 'You said: one', 'two', 'You said: two']);
    expect(conversation.snapshot().generation).toBe(0);
  });

  it('fails when its session is deleted, or was never there', async () => {
    const { conversation, client, id } = await begin();
    await expect.poll(() => conversation.snapshot().status).toBe('open');
    await client.sessions.remove(id);
    await expect.poll(() => conversation.snapshot().status).toBe('failed');
    expect(conversation.snapshot().error).toMatchObject({ status: 404 });
    const unknown = client.conversation(crypto.randomUUID());
    unknown.use();
    await expect.poll(() => unknown.snapshot().error?.status).toBe(404);
  });

  it('opens automatically when the server comes back', async () => {
    const { client, line, id } = await begin();
    line.cut();
    client.forget(id);
    const conversation = client.conversation(id);
    conversation.use();
    await expect
      .poll(() => conversation.snapshot())
      .toMatchObject({
        status: 'failed',
        error: { code: 'offline' },
      });
    line.repair();
    await expect.poll(() => conversation.snapshot().status).toBe('open');
  });

  it('continues when the server has restarted [kitchen.ui.reconnect]', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-client-'));
    const file = join(folder, 'parley.db');
    const port = await freePort();
    const first = await startDoor({ file, port });
    const { client, line } = await connect(first.url, { transport });
    const { id } = await client.sessions.create({ assistant: 'notes' });
    const conversation = client.conversation(id);
    conversation.use();
    send(conversation, 'one');
    await untilEnds(conversation, 1);
    line.cut();
    await first.stop();
    const second = await startDoor({ file, port });
    send(conversation, 'two');
    line.repair();
    const view = await untilEnds(conversation, 2);
    expect(words(view)).toEqual(['one', 'You said: one', 'two', 'You said: two']);
    expect(conversation.snapshot().sent).toEqual([]);
    client.close();
    await second.stop();
    await rm(folder, { recursive: true });
  });
});
