// Links that show turns of a session to people without a login.
import type { NewShareLink, ShareLinkInfo } from '@parley/protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DoorHarness, startDoor, until } from './door-harness.ts';

const day = 24 * 60 * 60 * 1_000;
let door: DoorHarness;
let now: number;
let allowed: boolean;
let id: string;
let turns: string[];
beforeEach(async () => {
  now = Date.now();
  allowed = true;
  door = await startDoor({ clock: { now: () => now }, allowsShareLinks: () => allowed });
  ({ id } = await door.gateway.createSession('sebastian', { engine: 'messages-api', assistant: 'notes' }));
  turns = [];
  for (const message of ['The first plan', 'My password is hunter2 <script>alert(1)</script>'])
    turns.push(await say(message));
});
afterEach(() => door.stop());

async function say(message: string): Promise<string> {
  const sent = await door.post(`/api/sessions/${id}/prompts`, { message });
  const { turnId } = (await sent.json()) as { turnId: string };
  await until(async () =>
    (await door.gateway.turns('sebastian', id)).some(
      (turn) => turn.id === turnId && turn.endedAt !== undefined,
    ),
  );
  return turnId;
}

async function make(body: object = {}): Promise<NewShareLink> {
  const response = await door.post(`/api/sessions/${id}/links`, body);
  expect(response.status).toBe(200);
  return (await response.json()) as NewShareLink;
}

/** As a stranger sees it. */
async function open(path: string) {
  const response = await fetch(door.url + path, { headers: { accept: 'text/html' } });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function list(): Promise<readonly ShareLinkInfo[]> {
  const response = await door.fetch(`/api/sessions/${id}/links`);
  return ((await response.json()) as { links: ShareLinkInfo[] }).links;
}

describe('a link to a session', () => {
  it('shows the turns it was made with, masked, and loads nothing [app.links.read] [app.links.masked] [app.links.safe]', async () => {
    const { path, expiresAt } = await make();
    expect(path).toMatch(/^\/shared\/[\w-]{43}$/);
    expect(expiresAt).toBe(now + 7 * day);
    await say('What came later');
    const { status, headers, text } = await open(path);
    expect(status).toBe(200);
    expect(text).toContain('The first plan');
    expect(text).toContain('My password is •••');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain('<script');
    expect(text).not.toContain('What came later');
    expect(text).toContain('<h2>sebastian <time>');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none';/);
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    expect(headers.get('x-robots-tag')).toContain('noindex');
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('set-cookie')).toBeNull();

    const some = await make({ turns: [turns[1], 'unknown'], days: 1, language: 'de' });
    expect(some.turns).toBe(1);
    const part = await open(some.path);
    expect(part.text).not.toContain('The first plan');
    expect(part.text).toContain('<h1 dir="auto">Teil einer Unterhaltung</h1>');
    expect(part.text).toContain('Exportiert aus Parley');
    expect((await door.post(`/api/sessions/${id}/links`, { turns: ['unknown'] })).status).toBe(400);
    expect((await door.post(`/api/sessions/${id}/links`, { days: 91 })).status).toBe(400);
  });

  it('ends when it expires, is withdrawn or forbidden, and always in the same way [app.links.ends]', async () => {
    const short = await make({ days: 1 });
    now += 1;
    const long = await make({ days: 30 });
    expect((await list()).map(({ id: link }) => link)).toEqual([short.id, long.id]);
    const unknown = await open(`/shared/${'x'.repeat(43)}`);
    expect(unknown.status).toBe(404);
    const expectGone = async (path: string) => {
      const { status, text, headers } = await open(path);
      expect([status, text, headers.get('content-security-policy')]).toEqual([
        404,
        unknown.text,
        unknown.headers.get('content-security-policy'),
      ]);
    };
    now += day;
    await expectGone(short.path);
    expect((await open(long.path)).status).toBe(200);
    expect((await list()).map(({ id: link }) => link)).toEqual([long.id]);
    allowed = false;
    await expectGone(long.path);
    expect((await door.post(`/api/sessions/${id}/links`, {})).status).toBe(403);
    allowed = true;
    expect((await open(long.path)).status).toBe(200);
    const revoke = () => door.fetch(`/api/sessions/${id}/links/${long.id}`, { method: 'DELETE' });
    expect((await revoke()).status).toBe(200);
    await expectGone(long.path);
    expect((await revoke()).status).toBe(404);
    const last = await make();
    await door.fetch(`/api/sessions/${id}`, { method: 'DELETE' });
    await expectGone(last.path);
    const { length } = await door.store.audit.search({ text: id, action: 'link.created', limit: 9 });
    expect(length).toBe(3);
    expect(await door.store.audit.search({ action: 'link.revoked', limit: 9 })).toMatchObject([
      { person: 'sebastian', subject: id },
    ]);
  });

  it('is made by the owner of the session alone, if their role allows it, and not stored [app.links.role]', async () => {
    const { path } = await make();
    const secret = path.split('/').at(-1) ?? '';
    expect(JSON.stringify(await door.store.shareLinks.list(id, now))).not.toContain(secret);
    expect(JSON.stringify(await list())).not.toContain(secret);
    await door.fetch(`/api/sessions/${id}/shares`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ with: 'petra', level: 'participate' }),
    });
    const asPetra = await door.post(`/api/sessions/${id}/links`, {}, { 'x-notes-person': 'petra' });
    expect(asPetra.status).toBe(403);
    // Sebastian becomes a guest, who may not share with strangers: his links end too.
    const guest = { person: 'sebastian', role: 'guest', assistants: ['notes'], createdAt: 1 } as const;
    const petra = { person: 'petra', role: 'owner', assistants: [], createdAt: 1 } as const;
    door.people.update({ accounts: [guest, petra] });
    expect((await open(path)).status).toBe(404);
    door.people.update({ accounts: [{ ...guest, role: 'member', assistants: [] }, petra] });
    expect((await open(path)).status).toBe(200);
    door.people.update({ accounts: [{ ...guest, role: 'member', assistants: [], disabledAt: 1 }, petra] });
    expect((await open(path)).status).toBe(404);
  });

  it('is rate-limited like everything without a login [app.links.safe]', async () => {
    const slow = await startDoor({
      limits: { requestsPerMinute: { perAddress: 3, overall: 100 } },
    });
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1)
      statuses.push((await fetch(`${slow.url}/shared/${attempt}`)).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
    await slow.stop();
  });
});
