// Accounts in a real browser: following an invitation, and logging in with a password and with a passkey.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addAuthenticator,
  atLocalhost,
  invitationLink,
  makeAccount,
  strangersPage,
} from './account-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
const own = 'seven wandering otters';
const at = (path: string) => atLocalhost(parley, path);
const invite = (name: string) => invitationLink(parley, { name });
const newPage = (options: object = {}) => strangersPage(parley, options);

const person = async (page: Page): Promise<unknown> => {
  const me = (await (await page.request.get(at('/api/me'))).json()) as { person: unknown };
  return me.person;
};

describe('an invitation in a browser', { timeout: patienceMs }, () => {
  it('leads to an account with a password, which logs in from then on [team.invitation.page]', async () => {
    const page = await newPage({ viewport: phone });
    const complaints = complaintsOf(page);
    await page.goto(await invite('mia'));
    await page.getByText('Hello mia!').waitFor();
    await expectAccessible(page);
    await page.getByLabel('New password').fill('mia12345');
    await page.getByRole('button', { name: 'Create my account' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('This password is easy to guess.');
    await page.getByLabel('New password').fill(own);
    await page.getByRole('button', { name: 'Create my account' }).click();
    await page.locator('header nav').waitFor();
    await expect.poll(() => person(page)).toBe('mia');
    expect(complaints).toEqual([]);
    await page.context().close();

    const other = await newPage();
    await other.goto(at('/overview'));
    await expectAccessible(other);
    await other.getByLabel('Name').fill('mia');
    await other.getByLabel('Password').fill('wrong password');
    await other.getByRole('button', { name: 'Log in' }).click();
    expect(await other.getByRole('alert').textContent()).toBe('The name or the password is wrong.');
    expect(await other.getByLabel('Name').inputValue()).toBe('mia');
    await other.getByLabel('Password').fill(own);
    await other.getByRole('button', { name: 'Log in' }).click();
    await other.locator('header nav').waitFor();
    expect([await person(other), new URL(other.url()).pathname]).toEqual(['mia', '/overview']);
    await other.context().close();
  });

  it('says that it is gone after it was used', async () => {
    const page = await newPage();
    await page.goto(at('/invite#nonsense'));
    await page.getByText('This invitation was already used').waitFor();
    expect(await page.getByLabel('New password').isVisible()).toBe(false);
    await page.context().close();
  });
});

describe('a passkey', { timeout: patienceMs }, () => {
  it('is made with an invitation, and logs in without a name [team.passkey.login]', async () => {
    const page = await newPage();
    const complaints = complaintsOf(page);
    const { cdp, id } = await addAuthenticator(page);
    await page.goto(await invite('jonas'));
    await page.getByRole('button', { name: 'Use a passkey instead' }).click();
    await page.locator('header nav').waitFor();
    await expect.poll(() => person(page)).toBe('jonas');
    expect(await cdp.send('WebAuthn.getCredentials', { authenticatorId: id })).toMatchObject({
      credentials: [{ isResidentCredential: true, rpId: 'localhost', signCount: 1 }],
    });

    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.locator('header nav').waitFor();
    await expect.poll(() => person(page)).toBe('jonas');
    const account = await (await page.request.get(at('/api/account'))).json();
    expect(account).toMatchObject({
      password: false,
      passkeysWork: true,
      passkeys: [{ name: 'First passkey', host: 'localhost', lastUsedAt: expect.any(Number) }],
    });
    expect(complaints).toEqual([]);

    // Its counter is behind: somebody copied it.
    const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: id });
    const copied = credentials[0];
    if (!copied) throw new Error('there is no passkey');
    await cdp.send('WebAuthn.clearCredentials', { authenticatorId: id });
    await cdp.send('WebAuthn.addCredential', {
      authenticatorId: id,
      credential: { ...copied, signCount: 0 },
    });
    await page.getByRole('button', { name: 'Log out' }).click();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    expect(await page.getByRole('alert').textContent()).toContain('This passkey is not known here');
    await page.context().close();
  });

  it('that nobody has says what to do instead', async () => {
    await invite('somebody');
    const page = await newPage();
    await addAuthenticator(page);
    await page.goto(at('/'));
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('No passkey was used.');
    await page.context().close();
  });

  it('is added, renamed and removed, unless it is the last credential [team.passkey.manage]', async () => {
    const page = await newPage();
    await addAuthenticator(page);
    await makeAccount(page, await invite('ada'), own);
    const result = await page.evaluate(async () => {
      const call = async (method: string, path: string, body?: object) => {
        const response = await fetch(path, {
          method,
          ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        });
        return { status: response.status, body: await response.json() };
      };
      const make = async (name: string) => {
        const { body } = await call('POST', '/api/account/passkeys/options');
        const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body);
        const credential = (await navigator.credentials.create({ publicKey })) as PublicKeyCredential;
        const response = credential.toJSON();
        const first = await call('POST', '/api/account/passkeys', { name, response });
        const again = await call('POST', '/api/account/passkeys', { name, response });
        return { id: credential.id, first, again: again.status };
      };
      const made = await make('Laptop');
      const renamed = await call('PATCH', `/api/account/passkeys/${made.id}`, { name: 'Phone' });
      const removed = await call('DELETE', `/api/account/passkeys/${made.id}`);
      return { made, renamed, removed };
    });
    expect(result.made).toMatchObject({ first: { status: 200 }, again: 400 });
    expect(result.renamed).toMatchObject({ body: { passkeys: [{ name: 'Phone' }] } });
    expect(result.removed).toMatchObject({ status: 200, body: { passkeys: [], password: true } });
    await page.context().close();
  });
});
