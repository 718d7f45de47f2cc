// The section "My account" of the settings.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import {
  addAuthenticator,
  atLocalhost,
  invitationLink,
  logIn,
  makeAccount,
  strangersPage,
} from './account-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
const own = 'seven wandering otters';
const at = (path: string) => atLocalhost(parley, path);
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

/** Somebody new with an account, in their settings. */
async function settingsOf(name: string, options: object = {}): Promise<Page> {
  const page = await strangersPage(parley, options);
  await makeAccount(page, await invitationLink(parley, { name }), own);
  await page.goto(at('/settings/account'));
  await card(page, 'Password').waitFor();
  return page;
}

describe('my account', { timeout: patienceMs }, () => {
  it('shows the name that somebody chose, and goes back to the plain one [team.app.account]', async () => {
    const page = await settingsOf('mia', { viewport: phone });
    await expectAccessible(page);
    await card(page, 'Name').getByLabel('Display name').fill('Mia von Berg');
    await page.getByRole('button', { name: 'Save name' }).click();
    const menu = page.getByRole('banner').getByRole('button', { name: 'person and settings' });
    await menu.getByText('Mia von Berg').waitFor();
    await card(page, 'Name').getByLabel('Display name').fill('');
    await page.getByRole('button', { name: 'Save name' }).click();
    await menu.getByText('mia', { exact: true }).waitFor();
    await page.context().close();
  });

  it('changes the password, which logs out the other devices [team.app.account]', async () => {
    const page = await settingsOf('jonas');
    const complaints = complaintsOf(page);
    const other = await strangersPage(parley);
    await logIn(other, at('/'), 'jonas', own);

    const form = card(page, 'Password');
    await form.getByLabel('Current password').fill('something else');
    await form.getByLabel('New password').fill('eight humming lanterns');
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByRole('alert').getByText('That is not your current password.').waitFor();
    await expect.poll(() => form.getByLabel('New password').inputValue()).toBe('eight humming lanterns');
    await form.getByLabel('Current password').fill(own);
    await form.getByLabel('New password').fill('jonas123');
    await form.getByRole('button', { name: 'Change password' }).click();
    await form.getByRole('alert').getByText('This password is easy to guess.').waitFor();
    await form.getByLabel('New password').fill('eight humming lanterns');
    await form.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('From now on, log in with your new password.').waitFor();
    await expect.poll(() => form.getByLabel('New password').inputValue()).toBe('');

    await other.getByLabel('Password').waitFor();
    await logIn(other, at('/'), 'jonas', 'eight humming lanterns');
    expect(complaints).toEqual([]);
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it('lists the devices and logs one out at once [team.app.account]', async () => {
    const page = await settingsOf('ada');
    const other = await strangersPage(parley, {
      userAgent: 'Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0',
    });
    await logIn(other, at('/'), 'ada', own);
    await page.reload();
    const devices = card(page, 'Devices');
    await devices.getByText('this device').waitFor();
    await devices.getByRole('button', { name: 'Log out Firefox · Android' }).click();
    await other.getByLabel('Password').waitFor();
    await devices.getByText('Firefox').waitFor({ state: 'detached' });

    await logIn(other, at('/'), 'ada', own);
    await page.reload();
    await devices.getByRole('button', { name: 'Log out all others' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Log out all others' }).click();
    await other.getByLabel('Password').waitFor();
    await devices.getByText('this device').waitFor();
    await Promise.all([page.context().close(), other.context().close()]);
  });

  it('adds, renames and removes passkeys [team.app.account]', async () => {
    const page = await settingsOf('emil');
    const { cdp, id } = await addAuthenticator(page);
    const passkeys = card(page, 'Passkeys');
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByText('Chrome · Linux').waitFor();
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByText('This device already has a passkey').waitFor();

    await passkeys.getByRole('button', { name: 'Manage the passkey' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
    await page.keyboard.press('Enter');
    await passkeys.getByText('Laptop').waitFor();
    await passkeys.getByRole('button', { name: 'Manage the passkey Laptop' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await passkeys.getByText('You have no passkey yet.').waitFor();

    await cdp.send('WebAuthn.setUserVerified', { authenticatorId: id, isUserVerified: false });
    await passkeys.getByRole('button', { name: 'Add a passkey' }).click();
    await passkeys.getByText('No passkey was created.').waitFor();
    await page.context().close();
  });

  it('keeps language and appearance in this browser [team.app.account]', async () => {
    const page = await settingsOf('frida');
    await page.getByLabel('Appearance').selectOption('dark');
    const theme = () => page.evaluate(() => document.documentElement.dataset['theme']);
    await expect.poll(() => theme()).toBe('dark');
    await expectAccessible(page);
    await page.getByLabel('Language').selectOption('de');
    await card(page, 'Passwort').waitFor();
    await page.getByLabel('Sprache').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('language-choice');
    await page.getByLabel('Aussehen').selectOption('system');
    await expect.poll(() => theme()).toBe('light');
    await page.context().close();
  });

  // The last one: from now on, an owner has an account.
  it('protects the account of somebody who uses the family password [team.app.protect]', async () => {
    const page = await parley.visit({ path: '/settings/account' });
    const form = card(page, 'Protect my account');
    await form.waitFor();
    await expectAccessible(page);
    await form.getByLabel('New password').fill('sebastian1');
    await form.getByRole('button', { name: 'Protect with a password' }).click();
    await form.getByRole('alert').getByText('This password is easy to guess.').waitFor();
    await form.getByLabel('New password').fill(own);
    await form.getByRole('button', { name: 'Protect with a password' }).click();
    await page.getByText('From now on, only you can log in as sebastian.').waitFor();
    await card(page, 'Devices').getByText('password · ').waitFor();
    const petra = await strangersPage(parley);
    await petra.goto(at('/'));
    await petra.getByLabel('Name').fill('sebastian');
    await petra.getByLabel('Password').fill('correct horse battery');
    await petra.getByRole('button', { name: 'Log in' }).click();
    await petra.getByText('The name or the password is wrong.').waitFor();
    await petra.context().close();
  });
});
