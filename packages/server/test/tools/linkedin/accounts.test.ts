// Which login is used, and how it is obtained, renewed and stored.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { LinkedInHarness, redirectUri } from './harness.ts';

const day = 24 * 60 * 60 * 1_000;
const { signal } = new AbortController();
const login = 'login-1';

describe('connecting LinkedIn', () => {
  it('gives each person their own login', async () => {
    await using linkedin = await LinkedInHarness.start({}, { member: { id: 'petra-2', name: 'Petra' } });
    expect(await linkedin.source.connections.status('petra')).toEqual({ connected: false });

    expect(await linkedin.connect('petra')).toBe('petra');
    await linkedin.call('linkedin_post', { text: 'Choir on Saturday' }, { person: 'petra' });
    await linkedin.call('linkedin_post', { text: 'Seed swap' }, { person: 'anna' });

    expect(linkedin.remote.posts.map(({ author }) => author)).toEqual([
      'urn:li:person:petra-2',
      'urn:li:person:anna-1',
    ]);
    expect(await linkedin.source.connections.status('petra')).toEqual({ connected: true });
    await linkedin.source.connections.forget('petra');
    expect(await linkedin.refusal('linkedin_post', { text: 'x' }, { person: 'petra' })).toContain(
      'LinkedIn is not connected yet. Open /api/linkedin/connect',
    );
  });

  it('asks LinkedIn only for the permissions it needs', async () => {
    await using linkedin = await LinkedInHarness.start();

    const url = new URL(await linkedin.source.connections.begin('petra', 'login-1', redirectUri));

    expect(url.pathname).toBe('/oauth/v2/authorization');
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: 'code',
      client_id: 'client',
      redirect_uri: redirectUri,
      // Encrypted.
      state: expect.stringMatching(/^[\w-]{100,500}$/),
      scope: 'openid profile w_member_social',
    });
  });

  it('refuses a state that is unknown, used, expired or from another login', async () => {
    await using linkedin = await LinkedInHarness.start();
    const { connections } = linkedin.source;
    const url = await connections.begin('petra', login, redirectUri);
    const back = await linkedin.consentPage(url);
    const notHere = 'This connection was not started here. Start it again.';

    await expect(connections.finish({ ...back, state: 'x', login, signal })).rejects.toThrow(notHere);
    await expect(connections.finish({ ...back, login: 'login-2', signal })).rejects.toThrow(notHere);
    expect(await connections.finish({ ...back, login, signal })).toBe('petra');
    await expect(connections.finish({ ...back, login, signal })).rejects.toThrow(notHere);

    const late = await connections.begin('petra', login, redirectUri);
    const lateBack = await linkedin.consentPage(late);
    linkedin.now += 11 * 60_000;
    await expect(connections.finish({ ...lateBack, login, signal })).rejects.toThrow(
      'longer than ten minutes',
    );
  });

  it('says when the person or LinkedIn refused', async () => {
    await using linkedin = await LinkedInHarness.start();
    const { connections } = linkedin.source;
    linkedin.remote.refuseConsent();

    await expect(linkedin.connect('petra')).rejects.toThrow('nothing has changed');

    const url = await connections.begin('petra', login, redirectUri);
    const { state } = await linkedin.consentPage(url);
    await expect(connections.finish({ state, login, code: 'made-up', signal })).rejects.toThrow(
      'LinkedIn did not issue a login (status 400).',
    );
    expect(await connections.status('petra')).toEqual({ connected: false });
  });

  it('says what to set when no app is registered', async () => {
    await using linkedin = await LinkedInHarness.start({ app: undefined, accounts: [] });

    expect(await linkedin.refusal('linkedin_post', { text: 'x' })).toContain('LINKEDIN_CLIENT_ID');
    await expect(linkedin.source.connections.begin('anna', login, redirectUri)).rejects.toThrow(
      'LINKEDIN_CLIENT_ID',
    );
  });
});

describe('a login', () => {
  it('is renewed before it expires, once for all simultaneous calls', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    linkedin.now += 61 * day;
    linkedin.remote.revokeAccess();

    await Promise.all([
      linkedin.call('linkedin_post', { text: 'one' }),
      linkedin.call('linkedin_post', { text: 'two' }),
    ]);

    expect(linkedin.remote.posts).toHaveLength(2);
    expect(linkedin.remote.requests.filter(({ path }) => path === '/rest/posts')).toHaveLength(2);
  });

  it('is renewed when LinkedIn refuses it early', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    linkedin.remote.revokeAccess();

    expect(await linkedin.call('linkedin_post', { text: 'one' })).toContain('Posted');
  });

  it('says so when it has expired', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] }, { refreshTokens: false });
    await linkedin.connect('anna');
    linkedin.now += 61 * day;

    expect(await linkedin.refusal('linkedin_post', { text: 'one' })).toBe(
      'The connection to LinkedIn expired on 2026-03-28. Open /api/linkedin/connect on this server in a browser to connect it.',
    );
    expect(await linkedin.source.connections.status('anna')).toMatchObject({ connected: false });
  });

  it('says so when it can no longer be renewed', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    linkedin.remote.revokeAccess();
    linkedin.remote.revokeRefresh();

    expect(await linkedin.refusal('linkedin_post', { text: 'one' })).toBe(
      'LinkedIn no longer accepts the login. Open /api/linkedin/connect on this server in a browser to connect it.',
    );
    expect(await linkedin.source.connections.status('anna')).toEqual({ connected: false });
    await linkedin.connect('anna');
    expect(await linkedin.call('linkedin_post', { text: 'one' })).toContain('Posted');
  });

  it('is not lost when the turn is stopped while it is being renewed', async () => {
    const stop = new AbortController();
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    linkedin.remote.revokeAccess();
    linkedin.onAnswer = ({ body }) => {
      if (body?.includes('grant_type=refresh_token')) stop.abort();
    };

    await expect(linkedin.call('linkedin_post', { text: 'one' }, { signal: stop.signal })).rejects.toThrow(
      /abort/i,
    );

    linkedin.remote.revokeAccess();
    expect(await linkedin.call('linkedin_post', { text: 'two' })).toContain('Posted');
    expect(linkedin.remote.posts).toHaveLength(1);
  });

  it('stays removed when its person removed it while it was being renewed', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    linkedin.remote.revokeAccess();
    linkedin.onAnswer = async ({ body }) => {
      if (body?.includes('grant_type=refresh_token')) await linkedin.source.connections.forget('anna');
    };

    expect(await linkedin.refusal('linkedin_post', { text: 'one' })).toContain(
      'LinkedIn is not connected yet.',
    );

    expect(await linkedin.source.connections.status('anna')).toEqual({ connected: false });
    expect(linkedin.remote.posts).toEqual([]);
  });

  it('stays when its person connected again while renewing the old one failed', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    linkedin.remote.revokeAccess();
    linkedin.remote.revokeRefresh();
    linkedin.onAnswer = async ({ body }) => {
      if (body?.includes('grant_type=refresh_token')) await linkedin.connect('anna');
    };

    expect(await linkedin.call('linkedin_post', { text: 'one' })).toContain('Posted');
    expect(await linkedin.source.connections.status('anna')).toEqual({ connected: true });
  });

  it('is encrypted on disk, readable only for this user and valid only for its person', async () => {
    await using linkedin = await LinkedInHarness.start({ accounts: [] });
    await linkedin.connect('anna');
    const files = await readdir(linkedin.folder);
    const sealed = await readFile(join(linkedin.folder, 'anna.sealed'));

    expect(files.toSorted()).toEqual(['anna.sealed', 'key']);
    for (const file of files) expect((await stat(join(linkedin.folder, file))).mode & 0o777).toBe(0o600);
    expect(sealed.toString('latin1')).not.toMatch(/access|refresh|urn:li|Token/);

    await writeFile(join(linkedin.folder, 'petra.sealed'), sealed);
    expect(await linkedin.refusal('linkedin_post', { text: 'x' }, { person: 'petra' })).toContain(
      'cannot be opened',
    );
    sealed[20] = (sealed[20] ?? 0) ^ 1;
    await writeFile(join(linkedin.folder, 'anna.sealed'), sealed);
    expect(await linkedin.refusal('linkedin_post', { text: 'x' })).toContain('cannot be opened');
  });
});
