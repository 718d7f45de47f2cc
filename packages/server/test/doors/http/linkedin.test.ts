// Connecting LinkedIn through the HTTP door, with browser cookies and LinkedIn's stand-in.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LinkedInStandIn, startLinkedInStandIn } from '@parley/stand-ins';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLinkedIn, type LinkedIn } from '../../../src/tools/linkedin/source.ts';
import { createGuardedFetch } from '../../../src/tools/web/guarded-fetch.ts';
import { type DoorHarness, familyPassword, startDoor } from './door-harness.ts';

let remote: LinkedInStandIn;
let linkedIn: LinkedIn;
let door: DoorHarness;
let folder: string;

beforeAll(async () => {
  remote = await startLinkedInStandIn();
  folder = await mkdtemp(join(tmpdir(), 'parley-linkedin-door-'));
  linkedIn = createLinkedIn({
    folder,
    accounts: [],
    app: { clientId: 'client', clientSecret: 'client-secret' },
    apiRoot: remote.url,
    authRoot: remote.url,
    version: '202606',
    confirm: true,
    http: createGuardedFetch({ exceptions: [remote.host] }),
  });
  door = await startDoor({ linkedIn });
});
afterAll(async () => {
  await door.stop();
  await remote.close();
  await rm(folder, { recursive: true, force: true });
});

describe('connecting LinkedIn', () => {
  it('sends a browser to the consent page and back, although the way back carries no login', async () => {
    const cookie = await logIn();
    expect(await status(cookie)).toEqual({ connected: false, expires_at: null });

    const back = await consent(cookie);
    const callback = await fetch(back);
    const html = await callback.text();
    expect(callback.status).toBe(200);
    expect(await status(cookie)).toMatchObject({ connected: false });

    const next = /url=([^"]+)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const stranger = await fetch(door.url + next);
    expect(stranger.status).toBe(401);
    const finished = await fetch(door.url + next, { headers: { cookie } });
    expect(await finished.text()).toContain('LinkedIn is connected');
    expect(await status(cookie)).toMatchObject({ connected: true });

    const again = await fetch(door.url + next, { headers: { cookie } });
    expect(again.status).toBe(403);
  });

  it('requires credentials everywhere except on the callback, which changes nothing', async () => {
    const routes = door.door.routes.filter(({ path }) => path.startsWith('/api/linkedin'));
    const isOpen = ({ path }: { path: string }) => path === '/api/linkedin/callback';

    for (const { method, path } of routes) {
      const { status } = await fetch(door.url + path, { method });
      expect({ method, path, status }).toEqual({ method, path, status: isOpen({ path }) ? 200 : 401 });
    }
    expect(routes.length).toBeGreaterThan(5);
  });

  it('can be finished only by the login that started it', async () => {
    const back = await consent(await logIn(), 'petra');
    const next = `${door.url}/api/linkedin/finish${new URL(back).search}`;

    const other = await fetch(next, { headers: { cookie: await logIn() } });

    expect(other.status).toBe(403);
    expect(await other.json()).toEqual({
      error: { code: 'forbidden', message: 'This connection was not started here. Start it again.' },
    });
    expect(await status(await logIn(), 'petra')).toMatchObject({ connected: false });
  });

  it('shows people in a browser why it failed', async () => {
    const cookie = await logIn();
    const visit = async (path: string) => {
      const response = await fetch(door.url + path, { headers: { cookie, accept: 'text/html,*/*' } });
      return { status: response.status, html: await response.text() };
    };
    const back = await consent(cookie);
    const state = new URL(back).searchParams.get('state') ?? '';

    const refused = await visit(`/api/linkedin/finish?state=${state}&error=user_cancelled_login`);
    expect(refused.status).toBe(403);
    expect(refused.html).toContain('You did not allow the connection to LinkedIn, so nothing has changed.');
    expect(refused.html).toContain('<a href="/api/linkedin/connect">Try again</a>');
    expect((await visit('/api/linkedin/connect?person=nobody')).html).toContain(
      'There is no such person here.',
    );
  });

  it('returns only to the requested host, whatever a proxy forwards', async () => {
    const proxied = await startDoor({ linkedIn, trustedProxies: ['127.0.0.1'] });
    const response = await proxied.fetch('/api/linkedin/connect', {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' },
      redirect: 'manual',
    });
    await proxied.stop();

    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(searchParams.get('redirect_uri')).toBe(
      `https://${new URL(proxied.url).host}/api/linkedin/callback`,
    );
  });

  it('puts nothing harmful from the URL into its page', async () => {
    const response = await fetch(
      `${door.url}/api/linkedin/callback?state=${encodeURIComponent('"><script>')}`,
    );

    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('<script>');
  });

  it('can be disconnected by the person', async () => {
    const response = await door.fetch('/api/linkedin', { method: 'DELETE' });

    expect(response.status).toBe(204);
    expect(await (await door.fetch('/api/linkedin')).json()).toEqual({ connected: false, expires_at: null });
  });
});

async function logIn(): Promise<string> {
  const response = await fetch(`${door.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ password: familyPassword }),
  });
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** The URL that LinkedIn sends the browser back to. */
async function consent(cookie: string, person = 'sebastian'): Promise<string> {
  const connect = await fetch(`${door.url}/api/linkedin/connect?person=${person}`, {
    headers: { cookie },
    redirect: 'manual',
  });
  expect(connect.status).toBe(302);
  const page = await fetch(connect.headers.get('location') ?? '', { redirect: 'manual' });
  return page.headers.get('location') ?? '';
}

async function status(cookie: string, person = 'sebastian'): Promise<unknown> {
  const response = await fetch(`${door.url}/api/linkedin?person=${person}`, { headers: { cookie } });
  return response.json();
}
