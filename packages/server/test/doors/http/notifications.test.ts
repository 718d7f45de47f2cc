// Notifications about a person's sessions.
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeDoor, startCodeDoor } from '../websocket/harness.ts';
import { key, until } from './door-harness.ts';

let door: CodeDoor;
beforeAll(async () => {
  door = await startCodeDoor({ http: { pingMs: 20 } });
});
afterAll(() => door.stop());

interface Told {
  readonly id: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Collects events until it is closed. */
function listen(headers: Record<string, string> = {}): Promise<Listener> {
  return new Promise((resolve, reject) => {
    const request = get(`${door.url}/api/notifications`, {
      agent: false,
      headers: { 'x-api-key': key, 'x-notes-person': 'sebastian', ...headers },
    });
    request.once('error', reject);
    request.once('response', (response) => {
      const listener: Listener = {
        response,
        events: [],
        comments: [],
        places: [],
        leave: () => response.destroy(),
      };
      response.on('error', () => undefined);
      createInterface(response).on('line', reader(listener));
      resolve(listener);
    });
  });
}

interface Listener {
  readonly response: IncomingMessage;
  readonly events: Told[];
  readonly comments: string[];
  /** Ids that arrived without an event. */
  readonly places: string[];
  readonly leave: () => void;
}

/** The fields of one event, up to the empty line after it. */
function reader({ events, comments, places }: Listener): (line: string) => void {
  let fields: Record<string, string> = {};
  return (line) => {
    if (line.startsWith(':')) comments.push(line);
    const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields[name] = value;
    if (line !== '') return;
    const { id = '', event = '', data } = fields;
    if (data !== undefined) events.push({ id, event, data: JSON.parse(data) as Told['data'] });
    else if (id !== '') places.push(id);
    fields = {};
  };
}

const prompt = (session: string, text: string) =>
  door.gateway.prompt({ person: 'sebastian', session, prompt: [{ type: 'text', text }], door: 'test' });

describe('notifications', () => {
  it('report a changed title and no other change to the transcript [code.notifications.title-changed] [code.notifications.only-title-changes]', async () => {
    const id = await door.newSession();
    const listener = await listen();
    expect(listener.response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const updates = () => listener.events.filter(({ event }) => event === 'claude-session-updated');
    await door.fetch(`/api/claude/sessions/${id}`, { method: 'PATCH', body: { archived: true } });
    await prompt(id, 'say 3');
    await until(() => listener.events.some(({ event }) => event === 'turn-ended'));
    expect(updates()).toEqual([]);
    await door.fetch(`/api/claude/sessions/${id}`, { method: 'PATCH', body: { title: 'Peas' } });
    await until(() => updates().length > 0);
    expect(updates()).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        event: 'claude-session-updated',
        data: { session_id: id, title: 'Peas', project: '/work/garden', path: `/code/${id}` },
      },
    ]);
    listener.leave();
  });

  it('report a waiting permission with its session, project, tool and page', async () => {
    const id = await door.newSession();
    const listener = await listen();
    await prompt(id, 'ask Bash');
    await until(() => listener.events.length > 0);
    expect(listener.events[0]).toMatchObject({
      event: 'permission-waiting',
      data: { session_id: id, title: 'ask Bash', project: '/work/garden', path: `/code/${id}`, tool: 'Bash' },
    });
    await door.gateway.interrupt('sebastian', id);
    await until(() => listener.events.length > 1);
    expect(listener.events[1]).toMatchObject({
      event: 'turn-ended',
      data: { session_id: id, title: 'ask Bash', outcome: 'interrupted' },
    });
    listener.leave();
  });

  it('reach only their person', async () => {
    const [mine, theirs] = [await listen(), await listen({ 'x-notes-person': 'petra' })];
    await prompt(await door.newSession(), 'say 1');
    await until(() => mine.events.length > 0);
    expect(theirs.events).toEqual([]);
    mine.leave();
    theirs.leave();
  });

  it('resume after the last one that was seen', async () => {
    const first = await listen();
    await prompt(await door.newSession(), 'say 1');
    await until(() => first.events.length === 1);
    first.leave();
    await prompt(await door.newSession(), 'die');
    const id = await door.newSession();
    await prompt(id, 'say 2');
    await until(async () => (await door.gateway.state('sebastian', id)).running === undefined);
    const second = await listen({ 'last-event-id': first.events[0]?.id ?? '' });
    await until(() => second.events.length === 2);
    expect(second.events.map(({ data }) => data['outcome'])).toEqual(['failed', 'completed']);
    second.leave();
  });

  it('are not missed if the stream breaks before the first one', async () => {
    const first = await listen();
    await until(() => first.places.length === 1);
    first.leave();
    await prompt(await door.newSession(), 'die');
    const second = await listen({ 'last-event-id': first.places[0] ?? '' });
    await until(() => second.events.length > 0);
    expect(second.events.map(({ data }) => data['outcome'])).toEqual(['failed']);
    second.leave();
  });

  it('start now for a number that was never issued', async () => {
    const listener = await listen({ 'last-event-id': '9999999999999999' });
    await prompt(await door.newSession(), 'say 1');
    await until(() => listener.events.length === 1);
    listener.leave();
    const refused = await door.fetch('/api/notifications', { headers: { 'last-event-id': 'x' } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: { code: 'invalid', message: 'Last-Event-ID must be an event id from this stream.' },
    });
  });

  it('keep the connection alive while nothing happens', async () => {
    const listener = await listen();
    await until(() => listener.comments.length >= 2);
    expect(listener.events).toEqual([]);
    listener.leave();
  });
});
