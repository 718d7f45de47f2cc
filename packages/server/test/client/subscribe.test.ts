// Subscriptions of the client against the real server, over connections that break.
import { setTimeout } from 'node:timers/promises';
import { ApiError, type ParleyClient } from '@parley/client';
import type { EngineEvent, Envelope } from '@parley/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DoorHarness, startDoor } from '../doors/http/door-harness.ts';
import { type CodeDoor, startCodeDoor } from '../doors/websocket/harness.ts';
import { type ConnectedClient, connectTo, transports } from './harness.ts';

let door: DoorHarness;
let code: CodeDoor;
const connected: ConnectedClient[] = [];

beforeAll(async () => {
  [door, code] = await Promise.all([startDoor(), startCodeDoor()]);
  door.engine.scripts.set('count', count);
});

afterAll(async () => {
  await Promise.all(connected.map((one) => one.close()));
  await door.stop();
  await code.stop();
});

async function* count(): AsyncGenerator<EngineEvent, void, undefined> {
  for (let number = 0; number < 300; number += 1) {
    yield { type: 'text.delta', text: `${number} ` };
    await setTimeout(2);
  }
}

async function connect(...args: Parameters<typeof connectTo>): Promise<ConnectedClient> {
  const one = await connectTo(...args);
  connected.push(one);
  return one;
}

async function prompt(client: ParleyClient, session: string, text: string): Promise<number> {
  const receipt = await client.sessions.prompt(session, { text, images: [] }, { key: crypto.randomUUID() });
  return 'after' in receipt ? receipt.after : 0;
}

async function untilEnd(events: AsyncIterable<Envelope>): Promise<Envelope[]> {
  const seen: Envelope[] = [];
  for await (const envelope of events) {
    seen.push(envelope);
    if (envelope.event.type === 'turn.ended') return seen;
  }
  return seen;
}

async function thrownBy(events: AsyncIterable<unknown>): Promise<unknown> {
  try {
    for await (const _ of events);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe.each(transports)('a subscription over %s', (transport) => {
  it('gets every event once and in order, however often the connection breaks [code.live.resume]', async () => {
    const { client, line } = await connect(door.url, { transport });
    const { id } = await client.sessions.create({ assistant: 'notes' });
    const after = await prompt(client, id, 'count');
    const seen: Envelope[] = [];
    for await (const envelope of client.subscribe(id, { after })) {
      seen.push(envelope);
      if (envelope.event.type === 'turn.ended') break;
      if (seen.length % 40 > 0) continue;
      line.cut();
      await expect.poll(() => client.connection.snapshot()).toBe('lost');
      line.repair();
    }
    expect(seen).toEqual(await untilEnd(door.gateway.subscribe('sebastian', id, { after })));
    expect(seen.length).toBeGreaterThan(300);
  });

  it('serves readers who start at different numbers [code.live.resume]', async () => {
    const { client } = await connect(door.url, { transport });
    const { id } = await client.sessions.create({ assistant: 'notes' });
    const after = await prompt(client, id, 'count');
    const first = untilEnd(client.subscribe(id, { after }));
    for await (const { seq } of client.subscribe(id, { after })) if (seq > after + 30) break;
    const all = untilEnd(client.subscribe(id, { after }));
    const some = untilEnd(client.subscribe(id, { after: after + 20 }));
    const expected = await untilEnd(door.gateway.subscribe('sebastian', id, { after }));
    expect(await first).toEqual(expected);
    expect(await all).toEqual(expected);
    expect(await some).toEqual(expected.slice(20));
  });

  it('gets only what is new when it names no number', async () => {
    const { client } = await connect(door.url, { transport });
    const { id } = await client.sessions.create({ assistant: 'notes' });
    await untilEnd(client.subscribe(id, { after: await prompt(client, id, 'before') }));
    const { lastSeq } = await client.sessions.get(id);
    const abort = new AbortController();
    const seen: Envelope[] = [];
    const reading = (async () => {
      for await (const envelope of client.subscribe(id, { signal: abort.signal })) {
        seen.push(envelope);
        if (envelope.event.type === 'turn.started') abort.abort();
      }
    })();
    // The subscription begins a moment after the connection.
    while (!abort.signal.aborted) {
      await prompt(client, id, 'after');
      await setTimeout(200, undefined, { signal: abort.signal }).catch(() => undefined);
    }
    await reading;
    expect(seen[0]?.seq).toBeGreaterThan(lastSeq);
  });

  it('says so when the server no longer has the events', async () => {
    const id = await code.newSession();
    const { client } = await connect(code.url, { transport });
    expect(await thrownBy(client.subscribe(id, { after: 1 }))).toMatchObject({ code: 'lagged' });
  });

  it('fails for a session that is not there, and for one that was deleted', async () => {
    const { client } = await connect(door.url, { transport });
    const unknown = await thrownBy(client.subscribe(crypto.randomUUID()));
    expect(unknown).toBeInstanceOf(ApiError);
    expect(unknown).toMatchObject({ status: 404, code: 'not_found' });
    const { id } = await client.sessions.create({ assistant: 'notes' });
    const { lastSeq } = await client.sessions.get(id);
    const reading = thrownBy(client.subscribe(id, { after: lastSeq }));
    await expect.poll(() => client.connection.snapshot()).toBe('open');
    await client.sessions.remove(id);
    expect(await reading).toMatchObject({ code: 'not_found' });
  });

  it('ends with 401 when the key is wrong', async () => {
    let refusals = 0;
    const { client } = await connect(door.url, {
      transport,
      apiKey: 'wrong',
      onUnauthorized: () => {
        refusals += 1;
      },
    });
    expect(await thrownBy(client.subscribe(crypto.randomUUID()))).toMatchObject({ status: 401 });
    expect(refusals).toBe(1);
  });

  it('brings notifications, even after a break', async () => {
    const { client, line } = await connect(code.url, { transport });
    const abort = new AbortController();
    const names: string[] = [];
    const reading = (async () => {
      for await (const { name, data } of client.notifications(abort.signal))
        names.push(`${name} ${data.session_id}`);
    })();
    await expect.poll(() => client.connection.snapshot()).toBe('open');
    line.cut();
    await expect.poll(() => client.connection.snapshot()).toBe('lost');
    line.repair();
    await expect.poll(() => client.connection.snapshot()).toBe('open');
    const id = await code.newSession();
    await prompt(client, id, 'say 1');
    await expect.poll(() => names).toContain(`turn-ended ${id}`);
    abort.abort();
    await reading;
  });

  it('ends when the client is closed', async () => {
    const { client } = await connect(door.url, { transport });
    const { id } = await client.sessions.create({ assistant: 'notes' });
    const reading = thrownBy(client.subscribe(id));
    await expect.poll(() => client.connection.snapshot()).toBe('open');
    client.close();
    expect(await reading).toMatchObject({ code: 'closed' });
  });
});

describe('a hundred and one subscriptions on one connection', () => {
  it('are all served, the last one as soon as another one has ended [code.live.bounded]', async () => {
    const { client } = await connect(door.url);
    const ids: string[] = [];
    for (let number = 0; number <= 100; number += 1)
      ids.push((await client.sessions.create({ assistant: 'notes' })).id);
    const endings = ids.map(() => new AbortController());
    const counts = ids.map(() => 0);
    const readings = ids.map(async (id, at) => {
      for await (const _ of client.subscribe(id, { after: 0, signal: endings[at]?.signal }))
        counts[at] = (counts[at] ?? 0) + 1;
    });
    const last = ids.at(-1) ?? '';
    for (const id of [ids[0] ?? '', last]) await prompt(client, id, 'Hello');
    await expect.poll(() => counts[0]).toBeGreaterThan(0);
    expect(counts[100]).toBe(0);
    endings[0]?.abort();
    await expect.poll(() => counts[100]).toBeGreaterThan(0);
    for (const ending of endings) ending.abort();
    await Promise.all(readings);
  });
});
