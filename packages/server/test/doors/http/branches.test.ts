// Editing a prompt and asking again: a new version of the conversation, next to the old one. Only the model is a
// stand-in.
import { randomUUID } from 'node:crypto';
import type { PastPage, Session, SessionDetails, Versions } from '@parley/protocol';
import { createGate, httpError, noFallback, reply, startAnthropicStandIn, wait } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { notes } from '../../../src/assistants/notes.ts';
import { systemClock } from '../../../src/domain/clock.ts';
import { createMessagesApiEngine } from '../../../src/engines/messages-api/engine.ts';
import { png } from '../../support/images.ts';
import { type DoorHarness, startDoor, until } from './door-harness.ts';

type StandIn = Awaited<ReturnType<typeof startAnthropicStandIn>>;

let api: StandIn;
let door: DoorHarness;
beforeAll(async () => {
  api = await startAnthropicStandIn({ fallback: noFallback });
  const answeredBy = createMessagesApiEngine({
    apiKey: 'stand-in-key',
    baseUrl: api.url,
    model: 'claude-stand-in',
    assistants: new Map([['notes', { ...notes, tools: [] }]]),
    toolSources: new Map(),
    clock: systemClock,
  });
  door = await startDoor({ answeredBy });
});
afterAll(async () => {
  await door.stop();
  await api.close();
});

const get = async <T>(path: string): Promise<T> => (await (await door.fetch(path)).json()) as T;

async function begin(): Promise<string> {
  const created = await door.post('/api/sessions', { assistant: 'notes' });
  return ((await created.json()) as Session).id;
}

async function ask(id: string, message: string, answer: string, fields: object = {}): Promise<string> {
  api.enqueue(reply(answer));
  const sent = await door.post(`/api/sessions/${id}/prompts`, { message, ...fields });
  const { turnId } = (await sent.json()) as { turnId: string };
  await ended(turnId, id);
  return turnId;
}

async function branch(id: string, before: string, message: string, answer: string): Promise<Session> {
  api.enqueue(reply(answer));
  const sent = await door.post(`/api/sessions/${id}/branches`, { before, message });
  expect(sent.status).toBe(201);
  const { session, turnId } = (await sent.json()) as { session: Session; turnId: string };
  await ended(turnId, session.id);
  return session;
}

async function ended(turnId: string, id: string): Promise<void> {
  await until(async () => {
    const { turns, running } = await get<SessionDetails>(`/api/sessions/${id}`);
    return running === null && turns.some((turn) => turn.id === turnId && turn.endedAt !== undefined);
  });
}

/** What the page shows: the past, and the events that continue it. */
async function said(id: string): Promise<readonly string[]> {
  const { entries, after } = await get<PastPage>(`/api/sessions/${id}/past`);
  const events = entries.map(({ event }) => event);
  const { lastSeq } = await get<SessionDetails>(`/api/sessions/${id}`);
  if (lastSeq > after)
    for await (const { seq, event } of door.gateway.subscribe('sebastian', id, { after })) {
      events.push(event);
      if (seq === lastSeq) break;
    }
  return events.flatMap((event) => {
    if (event.type === 'turn.ended') return [event.text];
    if (event.type !== 'turn.started') return [];
    return event.prompt.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  });
}

const sentToModel = () =>
  (api.conversations.at(-1)?.body.messages ?? []).map(({ content }) => JSON.stringify(content));

const versions = async (id: string) =>
  (await get<{ versions: Versions[] }>(`/api/sessions/${id}/versions`)).versions;

const listed = async () =>
  (await get<{ sessions: Session[] }>('/api/sessions?limit=200')).sessions.map(({ id }) => id);

describe('replacing an earlier prompt', () => {
  it('starts a version with everything before it, and leaves the old one as it is [kitchen.ui.versions]', async () => {
    const id = await begin();
    const one = await ask(id, 'One', 'First answer.');
    const two = await ask(id, 'Two', 'Second answer.');
    await ask(id, 'Three', 'Third answer.');
    const before = await get<SessionDetails>(`/api/sessions/${id}`);

    const edited = await branch(id, two, 'Two, edited', 'Another answer.');
    expect(sentToModel()).toEqual(
      ['One', 'First answer.', 'Two, edited'].map((words) => expect.stringContaining(words)),
    );
    expect(await said(edited.id)).toEqual(['One', 'First answer.', 'Two, edited', 'Another answer.']);
    expect(await said(id)).toEqual([
      'One',
      'First answer.',
      'Two',
      'Second answer.',
      'Three',
      'Third answer.',
    ]);
    expect(await get(`/api/sessions/${id}`)).toEqual(before);

    expect(await versions(id)).toEqual([{ after: one, sessions: [id, edited.id], current: 0 }]);
    const { turns } = await get<SessionDetails>(`/api/sessions/${edited.id}`);
    const [copy] = turns;
    expect(copy).toMatchObject({ text: 'First answer.', usage: before.turns[0]?.usage });
    expect(await versions(edited.id)).toEqual([{ after: copy?.id, sessions: [id, edited.id], current: 1 }]);
    expect(edited).toMatchObject({ title: 'One', assistant: 'notes' });

    // The edited version continues like any other conversation, and so does the old one.
    await ask(edited.id, 'Four', 'Fourth answer.');
    expect(sentToModel()).not.toContainEqual(expect.stringContaining('Three'));
    await ask(id, 'Five', 'Fifth answer.');
    expect(sentToModel()).not.toContainEqual(expect.stringContaining('edited'));
  });

  it('may be the first one, or one that was edited before [kitchen.ui.versions]', async () => {
    const id = await begin();
    const one = await ask(id, 'Begin', 'Begun.');
    const again = await branch(id, one, 'Begin', 'Begun again.');
    expect(sentToModel()).toHaveLength(1);
    expect(await said(again.id)).toEqual(['Begin', 'Begun again.']);
    const [asked] = (await get<SessionDetails>(`/api/sessions/${again.id}`)).turns;
    const third = await branch(again.id, asked?.id ?? '', 'Begin differently', 'Different.');
    const sessions = [id, again.id, third.id];
    expect(await versions(third.id)).toEqual([{ after: null, sessions, current: 2 }]);
    expect(await versions(id)).toEqual([{ after: null, sessions, current: 0 }]);
  });

  it('replaces all attempts at a prompt that failed', async () => {
    const id = await begin();
    await ask(id, 'Hello', 'Hi.');
    api.enqueue(httpError(400, 'invalid_request_error', 'No.'));
    await door.post(`/api/sessions/${id}/prompts`, { message: 'Try' });
    await until(async () => (await get<SessionDetails>(`/api/sessions/${id}`)).turns[1]?.status === 'failed');
    const retried = await ask(id, 'Try', 'Done.');
    const edited = await branch(id, retried, 'Try something else', 'Fine.');
    expect(await said(edited.id)).toEqual(['Hello', 'Hi.', 'Try something else', 'Fine.']);
  });

  it('is one conversation in the list: the version that was used last', async () => {
    const id = await begin();
    const turn = await ask(id, 'A question', 'An answer.');
    const edited = await branch(id, turn, 'A better question', 'A better answer.');
    expect(await listed()).toContain(edited.id);
    expect(await listed()).not.toContain(id);
    await ask(id, 'And now?', 'Back here.');
    expect(await listed()).toContain(id);
    expect(await listed()).not.toContain(edited.id);

    const found = await get<{ sessions: Session[] }>('/api/sessions?q=better');
    expect(found.sessions.map((session) => session.id)).toEqual([edited.id]);
    const renamed = { method: 'PATCH', headers: { 'content-type': 'application/json' } };
    await door.fetch(`/api/sessions/${id}`, { ...renamed, body: JSON.stringify({ title: 'Questions' }) });
    expect((await get<SessionDetails>(`/api/sessions/${edited.id}`)).session.title).toBe('Questions');
    await door.fetch(`/api/sessions/${id}`, { method: 'DELETE' });
    expect((await door.fetch(`/api/sessions/${edited.id}`)).status).toBe(404);
  });

  it('keeps the pictures of earlier prompts, and is sent once however often it is requested', async () => {
    const id = await begin();
    const image = png(8, 8);
    await ask(id, 'Look', 'Seen.', { images: [image] });
    const two = await ask(id, 'And?', 'Nothing.');
    const body = { before: two, message: 'What is it?' };
    const headers = { 'idempotency-key': randomUUID() };
    api.enqueue(reply('A pixel.'));
    const send = async () => (await door.post(`/api/sessions/${id}/branches`, body, headers)).json();
    const sent = (await send()) as { session: Session; turnId: string };
    expect(await send()).toMatchObject({ session: { id: sent.session.id }, turnId: sent.turnId });
    await ended(sent.turnId, sent.session.id);
    const { turns } = await get<SessionDetails>(`/api/sessions/${sent.session.id}`);
    const picture = await door.fetch(`/api/sessions/${sent.session.id}/turns/${turns[0]?.id}/images/0`);
    expect(Buffer.from(await picture.arrayBuffer())).toEqual(Buffer.from(image.data, 'base64'));
    expect(await versions(id)).toMatchObject([{ sessions: [id, sent.session.id] }]);
  });

  it('is refused for prompts that are not there, and in conversations of others', async () => {
    const id = await begin();
    const turn = await ask(id, 'Mine', 'Yours.');
    const other = await ask(await begin(), 'Elsewhere', 'There.');
    const refused = async (before: string, headers = {}) =>
      (await door.post(`/api/sessions/${id}/branches`, { before, message: 'x' }, headers)).status;
    expect(await refused(other)).toBe(404);
    expect(await refused(randomUUID())).toBe(404);
    expect(await refused('nonsense')).toBe(400);
    expect(await refused(turn, { 'x-notes-person': 'petra' })).toBe(404);
    expect(await versions(id)).toEqual([]);
  });
});

describe('a fork', () => {
  const fork = async (id: string, body: object) => {
    const made = await door.post(`/api/sessions/${id}/forks`, body);
    return { status: made.status, session: (await made.json()) as Session };
  };

  it('is a conversation of its own that begins like the other one, up to any message [app.versions.fork]', async () => {
    const id = await begin();
    await ask(id, 'One', 'First answer.');
    const two = await ask(id, 'Two', 'Second answer.');
    const { session: part } = await fork(id, { before: two });
    const { session: whole } = await fork(id, {});

    expect(part).toMatchObject({ title: 'One (fork)', assistant: 'notes' });
    expect(await said(part.id)).toEqual(['One', 'First answer.']);
    expect(await said(whole.id)).toEqual(['One', 'First answer.', 'Two', 'Second answer.']);
    expect(await versions(part.id)).toEqual([]);
    expect(await listed()).toEqual(expect.arrayContaining([id, part.id, whole.id]));
    await ask(part.id, 'Three', 'Third answer.');
    expect(sentToModel()).toEqual(
      ['One', 'First answer.', 'Three'].map((words) => expect.stringContaining(words)),
    );
    await door.fetch(`/api/sessions/${part.id}`, { method: 'DELETE' });
    expect(await said(id)).toEqual(['One', 'First answer.', 'Two', 'Second answer.']);
  });

  it('leaves out a prompt that is still being answered', async () => {
    const id = await begin();
    await ask(id, 'One', 'First answer.');
    const gate = createGate();
    api.enqueue(reply('Second ', wait(gate.opened), 'answer.'));
    const sent = await door.post(`/api/sessions/${id}/prompts`, { message: 'Two' });
    const { turnId } = (await sent.json()) as { turnId: string };
    const { session } = await fork(id, {});
    gate.open();
    await ended(turnId, id);
    const { turns, running } = await get<SessionDetails>(`/api/sessions/${session.id}`);
    expect({ running, asked: turns.map(({ status }) => status) }).toEqual({
      running: null,
      asked: ['completed'],
    });
    expect(await said(session.id)).toEqual(['One', 'First answer.']);
  });

  it('is refused for a message that is not there, and for a conversation of somebody else', async () => {
    const id = await begin();
    await ask(id, 'One', 'First answer.');
    expect((await fork(id, { before: randomUUID() })).status).toBe(404);
    const foreign = await door.post(`/api/sessions/${id}/forks`, {}, { 'x-notes-person': 'petra' });
    expect(foreign.status).toBe(404);
  });
});
