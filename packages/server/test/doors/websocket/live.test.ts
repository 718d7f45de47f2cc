// The live connection of a page: many sessions over one socket, resumed by number.
import type { Envelope } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Presence } from '../../../src/doors/websocket/presence.ts';
import { key, until } from '../http/door-harness.ts';
import { type CodeDoor, refusal, startCodeDoor } from './harness.ts';
import { LiveClient } from './live-client.ts';

let door: CodeDoor;
const clients: LiveClient[] = [];

beforeAll(async () => {
  door = await startCodeDoor();
});

afterAll(async () => {
  for (const client of clients) client.drop();
  await door.stop();
});

async function connect(person = 'sebastian', at = door): Promise<LiveClient> {
  const client = new LiveClient(`${at.url}/api/live`, { 'x-api-key': key, 'x-notes-person': person });
  clients.push(client);
  await client.opened();
  return client;
}

async function prompt(id: string, message: string): Promise<void> {
  const answer = await door.fetch(`/api/sessions/${id}/prompts`, { method: 'POST', body: { message } });
  expect(answer.status).toBe(202);
}

const framesOf = (envelopes: readonly Envelope[]) =>
  envelopes.flatMap(({ event }) => (event.type === 'frame' ? [event.raw] : []));

describe('a live connection', () => {
  it('follows many sessions at once and keeps their events apart [code.live.subscriptions]', async () => {
    const client = await connect();
    const ids = await Promise.all(Array.from({ length: 20 }, () => door.newSession()));
    for (const session of ids) client.send({ type: 'subscribe', session });
    for (const id of ids) await client.subscribed(id);
    await Promise.all(ids.map((id) => prompt(id, 'say 3')));
    for (const id of ids) await client.turnEnded(id);
    for (const id of ids) {
      const events = client.eventsOf(id);
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => (events[0]?.seq ?? 0) + index));
      expect(framesOf(events)).toEqual(door.engine.sent.get(id));
    }
  });

  it('continues after the given number, without gaps or duplicates [code.live.resume]', async () => {
    const id = await door.newSession();
    const first = await connect();
    first.send({ type: 'subscribe', session: id });
    const { after } = await first.subscribed(id);
    await prompt(id, 'say 5');
    await first.turnEnded(id);
    const all = first.eventsOf(id);
    for (const cut of [after, all[0]?.seq ?? 0, all[3]?.seq ?? 0, all.at(-1)?.seq ?? 0]) {
      const client = await connect();
      client.send({ type: 'subscribe', session: id, after: cut });
      await client.subscribed(id);
      const rest = all.filter(({ seq }) => seq > cut);
      await client.until(() => client.eventsOf(id).length >= rest.length);
      expect(client.eventsOf(id)).toEqual(rest);
    }
  });

  it('reports when events after the number are gone [code.live.resume]', async () => {
    const id = await door.newSession();
    const client = await connect();
    client.send({ type: 'subscribe', session: id, after: 1 });
    expect(await client.ended(id)).toMatchObject({ code: 'lagged' });
  });

  it('replaces a subscription to the same session [code.live.subscriptions]', async () => {
    const id = await door.newSession();
    const client = await connect();
    client.send({ type: 'subscribe', session: id });
    client.send({ type: 'subscribe', session: id });
    await client.until(() => client.of('subscribed').length > 0);
    await prompt(id, 'say 2');
    await client.turnEnded(id);
    const numbers = client.eventsOf(id).map(({ seq }) => seq);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  it('gets nothing from a session after unsubscribing [code.live.subscriptions]', async () => {
    const [left, kept] = [await door.newSession(), await door.newSession()];
    const client = await connect();
    for (const session of [left, kept]) client.send({ type: 'subscribe', session });
    for (const id of [left, kept]) await client.subscribed(id);
    client.send({ type: 'unsubscribe', session: left });
    client.send({ type: 'unsubscribe', session: left });
    client.send({ type: 'nonsense' });
    await client.until(() => client.of('error').length > 0);
    await prompt(left, 'say 1');
    await prompt(kept, 'say 1');
    await client.turnEnded(kept);
    expect(client.eventsOf(left)).toEqual([]);
  });

  it("gets the same answer for another person's session as for an unknown one [code.live.foreign]", async () => {
    const id = await door.newSession();
    const unknown = crypto.randomUUID();
    const stranger = await connect('petra');
    for (const session of [id, unknown]) stranger.send({ type: 'subscribe', session });
    const [foreign, none] = [await stranger.ended(id), await stranger.ended(unknown)];
    expect({ ...foreign, session: '' }).toEqual({ ...none, session: '' });
    expect(foreign).toMatchObject({ code: 'not_found' });
  });

  it('is informed when a session is deleted [code.live.subscriptions]', async () => {
    const id = await door.newSession();
    const client = await connect();
    client.send({ type: 'subscribe', session: id });
    await client.subscribed(id);
    expect((await door.fetch(`/api/sessions/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect(await client.ended(id)).toMatchObject({ code: 'not_found' });
  });

  it('opens a session that was started elsewhere, and wakes it [code.live.subscriptions]', async () => {
    const id = door.sessions.startedElsewhere('sebastian');
    const client = await connect();
    client.send({ type: 'subscribe', session: id });
    await client.subscribed(id);
    await client.until(() => door.engine.woken.includes(id) || client.of('error').length > 0);
    expect(door.engine.woken).toContain(id);
  });

  it('reports a session that cannot be woken, and still follows it [code.live.subscriptions]', async () => {
    const id = await door.newSession({ broken: true });
    const client = await connect();
    client.send({ type: 'subscribe', session: id });
    await client.until(() => client.of('error').length === 1);
    expect(client.of('error')[0]).toMatchObject({ session: id, code: 'unavailable' });
    await prompt(id, 'say 1');
    await client.turnEnded(id);
  });

  it('follows a hundred sessions and refuses more [code.live.bounded]', async () => {
    const client = await connect();
    const ids = await Promise.all(Array.from({ length: 101 }, () => door.newSession()));
    for (const session of ids) client.send({ type: 'subscribe', session });
    await client.until(() => client.of('ended').length === 1 && client.of('subscribed').length === 100);
    expect(client.of('ended')[0]).toMatchObject({ session: ids[100], code: 'busy' });
  });

  it.each([
    'no json',
    '[]',
    '{}',
    '{"type":"subscribe"}',
    '{"type":"subscribe","session":"../x"}',
    '{"type":"subscribe","session":"00000000-0000-4000-8000-000000000000","after":-1}',
    '{"type":"presence","visible":"yes"}',
    '{"type":"unsubscribe","session":"00000000-0000-4000-8000-000000000000","__proto__":{}}',
  ])('refuses %s with an error message and stays open [code.live.bad-messages]', async (text) => {
    const client = await connect();
    client.send(text);
    await client.until(() => client.of('error').length === 1);
    expect(client.of('error')[0]).toMatchObject({ code: 'invalid' });
    const id = await door.newSession();
    client.send({ type: 'subscribe', session: id });
    await client.subscribed(id);
  });

  it('counts the pages that show a session, and the visible ones [code.live.presence]', async () => {
    const id = await door.newSession();
    const [one, two, other] = [await connect(), await connect(), await connect('petra')];
    other.send({ type: 'subscribe', session: id });
    one.send({ type: 'presence', visible: true });
    one.send({ type: 'subscribe', session: id });
    await one.presence(id, { pages: 1, visible: 1 });
    two.send({ type: 'subscribe', session: id });
    await one.presence(id, { pages: 2, visible: 1 });
    two.send({ type: 'presence', visible: true });
    await one.presence(id, { pages: 2, visible: 2 });
    two.drop();
    await one.presence(id, { pages: 1, visible: 1 });
    expect(other.of('presence')).toEqual([]);
  });

  it('does not count a page that is behind and has unsubscribed [code.live.presence]', async () => {
    const presence = new Presence();
    let socket: WebSocket | undefined;
    const own = await startCodeDoor({
      presence,
      serving: (upgraded) => {
        socket = upgraded;
      },
    });
    onTestFinished(() => own.stop());
    const id = await own.newSession();
    const client = await connect('sebastian', own);
    client.pause();
    // More than the network buffers, so that everything after it waits.
    socket?.send(Buffer.alloc(64 * 1024 * 1024));
    const moreWaits = async () => {
      const before = socket?.bufferedAmount ?? 0;
      await until(() => (socket?.bufferedAmount ?? 0) > before);
    };
    client.send({ type: 'presence', visible: true });
    client.send({ type: 'subscribe', session: id });
    await moreWaits();
    client.send({ type: 'unsubscribe', session: id });
    client.send({ type: 'nonsense' });
    await moreWaits();
    client.drop();
    await until(() => socket?.readyState === WebSocket.CLOSED);
    expect(presence.isLooking('sebastian', id)).toBe(false);
  });

  it('carries only the notifications of its person [code.live.notifications]', async () => {
    const id = await door.newSession();
    const [client, stranger] = [await connect(), await connect('petra')];
    await prompt(id, 'say 1');
    await client.until(() => client.of('notification').some(({ data }) => data.session_id === id));
    const [notification] = client.of('notification').filter(({ data }) => data.session_id === id);
    expect(notification).toMatchObject({
      name: 'turn-ended',
      data: { session_id: id, path: `/code/${id}`, outcome: 'completed' },
    });
    expect(stranger.of('notification')).toEqual([]);
  });

  it('needs credentials before the handshake [code.live.policy]', async () => {
    expect((await refusal(`${door.url}/api/live`)).status).toBe(401);
  });

  it('is closed with a reason when the server stops [code.live.policy]', async () => {
    const own = await startCodeDoor();
    const client = await connect('sebastian', own);
    await own.stop();
    expect(await client.closed()).toMatchObject({ code: 1001 });
  });
});
