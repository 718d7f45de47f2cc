// What happens in a person's sessions while they look elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CodeDoor, startCodeDoor } from '../../websocket/harness.ts';
import { key, linesOf, until } from '../door-harness.ts';

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

/** Listens, and collects what comes until told to leave. */
async function listen(headers: Record<string, string> = {}): Promise<Listener> {
  const controller = new AbortController();
  const response = await fetch(`${door.url}/api/notifications`, {
    signal: controller.signal,
    headers: { 'x-api-key': key, 'x-notes-person': 'sebastian', ...headers },
  });
  const listener: Listener = { response, events: [], lines: [], leave: () => controller.abort() };
  void collect(response, listener);
  return listener;
}

interface Listener {
  readonly response: Response;
  readonly events: Told[];
  readonly lines: string[];
  readonly leave: () => void;
}

async function collect(response: Response, { events, lines }: Listener): Promise<void> {
  let fields: Record<string, string> = {};
  try {
    for await (const line of linesOf(response)) {
      lines.push(line);
      const [, name, value] = /^(\w+): (.*)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) fields[name] = value;
      if (line !== '' || fields['data'] === undefined) continue;
      events.push({
        id: fields['id'] ?? '',
        event: fields['event'] ?? '',
        data: JSON.parse(fields['data']) as Told['data'],
      });
      fields = {};
    }
  } catch {
    // The listener has left.
  }
}

const prompt = (session: string, text: string) =>
  door.gateway.prompt({ person: 'sebastian', session, prompt: [{ type: 'text', text }], door: 'test' });

describe('notifications', () => {
  it('tell of a changed title, and of nothing else that is written [code.notifications.title-changed] [code.notifications.only-title-changes]', async () => {
    const id = await door.newSession();
    const listener = await listen();
    expect(listener.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const told = () => listener.events.filter(({ event }) => event === 'claude-session-updated');
    await door.fetch(`/api/claude/sessions/${id}`, { method: 'PATCH', body: { archived: true } });
    await prompt(id, 'say 3');
    await until(() => listener.events.some(({ event }) => event === 'turn-ended'));
    expect(told()).toEqual([]);
    await door.fetch(`/api/claude/sessions/${id}`, { method: 'PATCH', body: { title: 'Peas' } });
    await until(() => told().length > 0);
    expect(told()).toEqual([
      {
        id: expect.stringMatching(/^\d+$/),
        event: 'claude-session-updated',
        data: { session_id: id, title: 'Peas', project: '/work/garden', path: `/claude/${id}` },
      },
    ]);
    listener.leave();
  });

  it('tell of a waiting permission with its session, project, tool and page', async () => {
    const id = await door.newSession();
    const listener = await listen();
    await prompt(id, 'ask Bash');
    await until(() => listener.events.length > 0);
    expect(listener.events[0]).toMatchObject({
      event: 'permission-waiting',
      data: { session_id: id, project: '/work/garden', path: `/claude/${id}`, tool: 'Bash' },
    });
    await door.gateway.interrupt('sebastian', id);
    await until(() => listener.events.length > 1);
    expect(listener.events[1]).toMatchObject({
      event: 'turn-ended',
      data: { session_id: id, title: 'ask Bash', outcome: 'interrupted' },
    });
    listener.leave();
  });

  it('are for their person alone', async () => {
    const [mine, theirs] = [await listen(), await listen({ 'x-notes-person': 'petra' })];
    await prompt(await door.newSession(), 'say 1');
    await until(() => mine.events.length > 0);
    expect(theirs.events).toEqual([]);
    mine.leave();
    theirs.leave();
  });

  it('go on after the last one that was seen', async () => {
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

  it('of a number that was never given out begin now', async () => {
    const listener = await listen({ 'last-event-id': '9999999999999999' });
    await prompt(await door.newSession(), 'say 1');
    await until(() => listener.events.length === 1);
    listener.leave();
    const refused = await door.fetch('/api/notifications', { headers: { 'last-event-id': 'x' } });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      error: { code: 'invalid', message: 'Last-Event-ID must be the id of an event of this stream.' },
    });
  });

  it('keep the connection alive while nothing happens', async () => {
    const listener = await listen();
    await until(() => listener.lines.filter((line) => line.startsWith(':')).length >= 2);
    expect(listener.events).toEqual([]);
    listener.leave();
  });
});
