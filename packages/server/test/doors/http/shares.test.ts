// A session that its owner shares: what others may do with it, and that it stays invisible to everybody else.
import type { Session, SessionDetails } from '@parley/protocol';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LiveClient } from '../websocket/live-client.ts';
import { collect, type DoorHarness, gate, key, startDoor, until } from './door-harness.ts';
import { eventsOf } from './sse.ts';

async function start() {
  const door = await startDoor({ people: ['sebastian', 'petra', 'anna'] });
  onTestFinished(() => door.stop());
  const session = await door.gateway.createSession('sebastian', {
    engine: 'messages-api',
    assistant: 'notes',
  });
  const path = `/api/sessions/${session.id}`;
  await door.post(`${path}/prompts`, { message: 'the parsley plan' });
  const hits = async () =>
    (await door.gateway.search('sebastian', 'parsley', 10)).flatMap((found) => found.hits);
  await until(async () => (await hits()).length === 2);
  return { door, id: session.id, path };
}

const as = (person: string) => ({ headers: { 'x-notes-person': person } });

function share(door: DoorHarness, path: string, body: object, person = 'sebastian'): Promise<Response> {
  return door.fetch(`${path}/shares`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'x-notes-person': person },
    body: JSON.stringify(body),
  });
}

async function idsOf(door: DoorHarness, path: string, person: string): Promise<string[]> {
  const { sessions } = (await (await door.fetch(path, as(person))).json()) as { sessions: { id: string }[] };
  return sessions.map(({ id }) => id);
}

describe('a shared session', () => {
  it('can be read, listed and found, but nothing more [team.share.read]', async () => {
    const { door, id, path } = await start();
    expect((await share(door, path, { with: 'petra', level: 'read' })).status).toBe(200);
    const seen = await door.fetch(path, as('petra'));
    expect(await seen.json()).toMatchObject({ session: { id, person: 'sebastian' }, access: 'read' });
    expect(await idsOf(door, '/api/sessions', 'petra')).toEqual([id]);
    expect(await idsOf(door, '/api/sessions?q=parsley', 'petra')).toEqual([id]);
    const prompt = await door.post(`${path}/prompts`, { message: 'hello' }, as('petra').headers);
    expect(prompt.status).toBe(403);
    expect((await door.fetch(path, { ...as('petra'), method: 'DELETE' })).status).toBe(403);
    expect((await door.fetch(`${path}/shares`, as('petra'))).status).toBe(403);
    expect((await share(door, path, { with: 'anna', level: 'read' }, 'petra')).status).toBe(403);
  });

  it('can be prompted and stopped by those who take part [team.share.participate]', async () => {
    const { door, path } = await start();
    await share(door, path, { with: 'petra', level: 'participate' });
    const { headers } = as('petra');
    expect((await door.post(`${path}/prompts`, { message: 'hello' }, headers)).status).toBe(202);
    expect((await door.post(`${path}/interrupt`, {}, headers)).status).toBe(200);
    await until(() => door.engine.prompts.includes('hello'));
    expect((await door.fetch(path, { headers, method: 'DELETE' })).status).toBe(403);
    const patch = { method: 'PATCH', body: JSON.stringify({ title: 'mine' }) };
    const named = await door.fetch(path, {
      ...patch,
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(named.status).toBe(403);
  });

  it('never mixes up the idempotency keys of its people [team.share.participate]', async () => {
    const { door, path } = await start();
    await share(door, path, { with: 'petra', level: 'participate' });
    const other = await door.gateway.createSession('sebastian', {
      engine: 'messages-api',
      assistant: 'notes',
    });
    const key = { 'idempotency-key': 'one' };
    await door.post(`/api/sessions/${other.id}/prompts`, { message: 'a secret' }, key);
    const { headers } = as('petra');
    const sent = await door.post(`${path}/prompts`, { message: 'mine' }, { ...headers, ...key });
    expect(sent.status).toBe(202);
    await until(() => door.engine.prompts.includes('mine'));
  });

  it('says who wrote a prompt, while it waits, live, later and in a version [team.share.author]', async () => {
    const { door, id, path } = await start();
    await share(door, path, { with: 'petra', level: 'participate' });
    const answer = gate();
    door.engine.scripts.set('of the owner', async function* () {
      await answer.opened;
      yield { type: 'text.delta', text: 'done' };
    });
    const { after } = (await (await door.post(`${path}/prompts`, { message: 'of the owner' })).json()) as {
      after: number;
    };
    const steering = { message: 'of petra', steer: true };
    expect((await door.post(`${path}/prompts`, steering, as('petra').headers)).status).toBe(202);
    const details = async (of = path) => (await (await door.fetch(of)).json()) as SessionDetails;
    expect((await details()).queue).toMatchObject([{ author: 'petra', prompt: { text: 'of petra' } }]);
    answer.open();
    const live = [];
    for await (const { event } of door.gateway.subscribe('petra', id, { after })) {
      if (event.type === 'turn.started') live.push(event.author);
      if (live.length === 2) break;
    }
    expect(live).toEqual([undefined, 'petra']);
    const authors = async (of?: string) => (await details(of)).turns.map(({ author }) => author);
    await until(async () => (await details()).running === null);
    expect(await authors()).toEqual([undefined, undefined, 'petra']);

    await door.post(`${path}/prompts`, { message: 'last' });
    await until(async () => (await authors()).length === 4);
    const before = (await details()).turns.at(-1)?.id;
    const branched = await door.post(`${path}/branches`, { before, message: 'last, edited' });
    const { session } = (await branched.json()) as { session: Session };
    expect((await authors(`/api/sessions/${session.id}`)).slice(0, 3)).toEqual([
      undefined,
      undefined,
      'petra',
    ]);
  });

  it('is branched by its owner alone, and others keep what was shared [team.share.branches]', async () => {
    const { door, id, path } = await start();
    await share(door, path, { with: 'petra', level: 'participate' });
    const { turns } = (await (await door.fetch(path)).json()) as SessionDetails;
    const edited = { before: turns[0]?.id, message: 'the basil plan' };
    const { headers } = as('petra');
    expect((await door.post(`${path}/branches`, edited, headers)).status).toBe(403);
    expect((await door.post(`${path}/branches`, edited, as('anna').headers)).status).toBe(404);
    const { session } = (await (await door.post(`${path}/branches`, edited)).json()) as { session: Session };
    expect(await idsOf(door, '/api/sessions', 'sebastian')).toEqual([session.id]);
    expect(await idsOf(door, '/api/sessions', 'petra')).toEqual([id]);
    expect((await door.fetch(`/api/sessions/${session.id}`, { headers })).status).toBe(404);
    const versions = async (person: string) => (await door.fetch(`${path}/versions`, as(person))).json();
    expect(await versions('petra')).toEqual({ versions: [] });
    expect(await versions('sebastian')).toMatchObject({ versions: [{ sessions: [id, session.id] }] });
  });

  it('looks unknown to everybody else [team.share.invisible]', async () => {
    const { door, path } = await start();
    await share(door, path, { with: 'petra', level: 'participate' });
    const unknown = await door.fetch(`/api/sessions/${crypto.randomUUID()}`, as('anna'));
    const hidden = await door.fetch(path, as('anna'));
    expect([hidden.status, await hidden.text()]).toEqual([404, await unknown.text()]);
    expect(await idsOf(door, '/api/sessions', 'anna')).toEqual([]);
    expect(await idsOf(door, '/api/sessions?q=parsley', 'anna')).toEqual([]);
    expect((await share(door, path, { with: 'anna', level: 'read' }, 'anna')).status).toBe(404);
  });

  it('ends for somebody at once when it is no longer shared [team.share.ends-streams]', async () => {
    const { door, path } = await start();
    await share(door, path, { with: 'petra', level: 'read' });
    const stream = await door.fetch(`${path}/events`, as('petra'));
    expect(stream.status).toBe(200);
    const ended = await door.fetch(`${path}/shares/petra`, { method: 'DELETE' });
    expect(await ended.json()).toEqual({ shares: [] });
    await collect(eventsOf(stream));
    expect((await door.fetch(path, as('petra'))).status).toBe(404);
  });

  it('is announced to open pages of the people it concerns, and to nobody else [team.rights.live]', async () => {
    const { door, id, path } = await start();
    const connect = async (person: string) => {
      const page = new LiveClient(`${door.url}/api/live`, { 'x-api-key': key, 'x-notes-person': person });
      onTestFinished(() => page.drop());
      await page.opened();
      return page;
    };
    const [petra, anna, owner] = [await connect('petra'), await connect('anna'), await connect('sebastian')];
    owner.send({ type: 'subscribe', session: id });
    await owner.until(() => owner.of('subscribed').length === 1);
    const announced = (page: LiveClient) => page.of('rights.changed').length;
    await share(door, path, { with: 'petra', level: 'read' });
    await petra.until(() => announced(petra) === 1);
    await share(door, path, { with: 'petra', level: 'participate' });
    await petra.until(() => announced(petra) === 2);
    await door.fetch(`${path}/shares/petra`, { method: 'DELETE' });
    await petra.until(() => announced(petra) === 3);
    await owner.until(() => announced(owner) === 3);
    expect(announced(anna)).toBe(0);
  });

  it('is recorded [team.audit.shares]', async () => {
    const { door, id, path } = await start();
    await share(door, path, { with: 'petra', level: 'read' });
    await door.fetch(`${path}/shares/petra`, { method: 'DELETE' });
    const entries = await door.store.audit.search({ limit: 10 });
    expect(entries.map(({ action, subject, detail }) => [action, subject, detail])).toEqual([
      ['session.unshared', id, 'petra'],
      ['session.shared', id, 'petra may read it'],
    ]);
  });
});
