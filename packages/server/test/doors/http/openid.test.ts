// OpenID Connect against a real provider.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOpenId } from '../../../src/accounts/openid.ts';
import { createGuardedFetch } from '../../../src/tools/web/guarded-fetch.ts';
import { type DoorHarness, familyPassword, rawRequest, startDoor } from './door-harness.ts';
import { type IdentityProvider, logInThere, startIdentityProvider } from './identity-provider.ts';
import { type Visitor, visit } from './visitor.ts';

interface Setup {
  readonly door: DoorHarness;
  readonly provider: IdentityProvider;
}

async function start(secret?: string): Promise<Setup> {
  const provider = await startIdentityProvider();
  onTestFinished(() => provider.close());
  const door = await startDoorAt(provider, { ...(secret !== undefined && { clientSecret: secret }) });
  provider.serve({ callback: `${door.url}/login/openid/callback`, ...(secret !== undefined && { secret }) });
  return { door, provider };
}

async function startDoorAt(
  { issuer }: IdentityProvider,
  { file, ...own }: { clientSecret?: string; key?: Buffer; file?: string },
): Promise<DoorHarness> {
  const http = createGuardedFetch({ exceptions: [new URL(issuer).host] });
  const openId = createOpenId({ name: 'Example ID', issuer, clientId: 'parley', http, ...own });
  const door = await startDoor({ openId, ...(file !== undefined && { file }) });
  onTestFinished(() => door.stop());
  return door;
}

/** Follows the way to the provider and back, with the cookies of one visitor. */
async function comeBack(visitor: Visitor, { door }: Setup, start: string, subject: string) {
  const back = await logInThere(start, subject);
  return visitor.send('GET', back.slice(door.url.length));
}

async function logIn(setup: Setup, subject: string, path = '/login/openid') {
  const visitor = visit(setup.door);
  const { location } = await visitor.send('GET', path);
  return { visitor, ...(await comeBack(visitor, setup, location, subject)) };
}

/** Petra makes an account with the provider. */
async function linked(setup: Setup): Promise<Visitor> {
  const petra = visit(setup.door);
  await petra.send('POST', '/login', { password: familyPassword, person: 'petra' });
  const { body } = await petra.send('POST', '/api/account/openid');
  expect((await comeBack(petra, setup, String(body['url']), 'petra-at-example')).status).toBe(200);
  return petra;
}

describe('OpenID Connect', () => {
  it.each([
    ['a public client', undefined],
    ['a client with a secret', 'a-secret-of-this-test'],
  ])('protects an account and logs in as its subject, as %s [team.openid.login]', async (_, secret) => {
    const setup = await start(secret);
    const petra = await linked(setup);
    expect((await petra.send('GET', '/api/account')).body).toMatchObject({
      account: true,
      password: false,
      openId: { name: 'Example ID', linked: true },
    });
    const { visitor, status, text } = await logIn(
      setup,
      'petra-at-example',
      '/login/openid?next=%2Foverview',
    );
    expect(status).toBe(200);
    expect(text).toContain('content="0; url=/overview"');
    expect((await visitor.send('GET', '/api/me')).body).toMatchObject({ person: 'petra', account: true });
  });

  it('follows an invitation [team.openid.invitation]', async () => {
    const setup = await start();
    const sebastian = visit(setup.door);
    await sebastian.send('POST', '/login', { password: familyPassword, person: 'sebastian' });
    const invited = await sebastian.send('POST', '/api/invitations', { name: 'mia' });
    const [, secret = ''] = String(invited.body['path']).split('#');
    const mia = visit(setup.door);
    const { body } = await mia.send('POST', '/api/invitations/openid', { secret });
    await comeBack(mia, setup, String(body['url']), 'mia-at-example');
    expect((await mia.send('GET', '/api/me')).body).toMatchObject({ person: 'mia', role: 'member' });
    expect((await mia.send('POST', '/api/invitations/openid', { secret })).status).toBe(404);
  });

  it('follows an invitation that comes back to another server [cluster.logins.anywhere]', async () => {
    const provider = await startIdentityProvider();
    onTestFinished(() => provider.close());
    const folder = mkdtempSync(join(tmpdir(), 'parley-openid-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const shared = { key: Buffer.alloc(32, 'k'), file: join(folder, 'parley.db') };
    const a = await startDoorAt(provider, shared);
    const b = await startDoorAt(provider, shared);
    const stranger = await startDoorAt(provider, { ...shared, key: Buffer.alloc(32, 'x') });
    provider.serve({ callback: `${a.url}/login/openid/callback` });
    const sebastian = visit(a);
    await sebastian.send('POST', '/login', { password: familyPassword, person: 'sebastian' });
    const invited = await sebastian.send('POST', '/api/invitations', { name: 'mia' });
    const [, secret = ''] = String(invited.body['path']).split('#');
    const mia = visit(a);
    const { body } = await mia.send('POST', '/api/invitations/openid', { secret });
    const back = (await logInThere(String(body['url']), 'mia-at-example')).slice(a.url.length);
    // A proxy in front of both passes on the name that the browser uses.
    const headers = { host: new URL(a.url).host, cookie: mia.cookie };
    expect((await rawRequest(stranger.url + back, { headers })).status).toBe(401);
    expect((await rawRequest(b.url + back, { headers })).status).toBe(200);
    expect(await b.store.accounts.list()).toMatchObject([
      { person: 'mia', openId: { subject: 'mia-at-example' } },
    ]);
  });

  it('lets nobody in who is not linked, and says so', async () => {
    const setup = await start();
    await linked(setup);
    const { visitor, status, text } = await logIn(setup, 'somebody-else');
    expect(status).toBe(401);
    expect(text).toContain('No one here is linked to this account.');
    expect((await visitor.send('GET', '/api/me')).status).toBe(401);
  });

  it('refuses an answer that another browser asked for, and one that comes twice [team.openid.bound]', async () => {
    const setup = await start();
    await linked(setup);
    const victim = visit(setup.door);
    const attacker = visit(setup.door);
    const { location } = await attacker.send('GET', '/login/openid');
    await victim.send('GET', '/login/openid');
    const back = (await logInThere(location, 'petra-at-example')).slice(setup.door.url.length);
    expect((await victim.send('GET', back)).status).toBe(401);
    expect((await visit(setup.door).send('GET', back)).status).toBe(401);
    expect((await victim.send('GET', '/api/me')).status).toBe(401);
    expect((await attacker.send('GET', back)).status).toBe(200);
    expect((await attacker.send('GET', back)).status).toBe(401);
  });

  it('links no account that the person got in the meantime [team.openid.bound]', async () => {
    const setup = await start();
    const family = visit(setup.door);
    await family.send('POST', '/login', { password: familyPassword, person: 'petra' });
    const { body } = await family.send('POST', '/api/account/openid');
    const petra = visit(setup.door);
    await petra.send('POST', '/login', { password: familyPassword, person: 'petra' });
    await petra.send('POST', '/api/account', { password: 'seven wandering otters' });
    expect((await comeBack(family, setup, String(body['url']), 'mallory')).status).toBe(401);
    expect((await logIn(setup, 'mallory')).status).toBe(401);
  });

  it('never sends the browser anywhere else afterwards', async () => {
    const setup = await start();
    await linked(setup);
    const { text } = await logIn(
      setup,
      'petra-at-example',
      '/login/openid?next=https%3A%2F%2Fevil.example%2F',
    );
    expect(text).toContain('content="0; url=/"');
    expect(text).not.toContain('evil');
  });

  it('can be unlinked only if another credential is left, and then ends its logins', async () => {
    const setup = await start();
    const petra = await linked(setup);
    expect((await petra.send('DELETE', '/api/account/openid')).status).toBe(409);
    const other = await logIn(setup, 'petra-at-example');
    const password = 'seven wandering otters';
    expect((await petra.send('PUT', '/api/account/password', { password })).status).toBe(200);
    const own = visit(setup.door);
    await own.send('POST', '/login', { person: 'petra', password });
    expect((await own.send('DELETE', '/api/account/openid')).status).toBe(204);
    expect((await other.visitor.send('GET', '/api/me')).status).toBe(401);
    expect((await logIn(setup, 'petra-at-example')).status).toBe(401);
  });

  it('says that the provider cannot be reached, and the other ways in still work', async () => {
    const setup = await start();
    await setup.provider.close();
    const { status, text } = await visit(setup.door).send('GET', '/login/openid');
    expect(status).toBe(503);
    expect(text).toContain('Example ID cannot be reached.');
    expect((await visit(setup.door).send('POST', '/login', { password: familyPassword })).status).toBe(200);
  });
});
