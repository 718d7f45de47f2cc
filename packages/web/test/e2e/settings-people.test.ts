// The section "People" of the settings: inviting somebody, and changing what they may do.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makeAccount, strangersPage } from './account-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
const own = 'seven wandering otters';
const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
const linkIn = (page: Page) => page.locator('pre').filter({ hasText: '/invite#' });

async function peoplePage(options: object = {}): Promise<Page> {
  const page = await parley.visit({ path: '/settings/people', ...options });
  await card(page, 'Everybody here').waitFor();
  return page;
}

/** Returns the link. */
async function invite(page: Page, name: string): Promise<string> {
  const form = card(page, 'Invite someone');
  await form.getByLabel('Name').fill(name);
  await form.getByRole('button', { name: 'Create link' }).click();
  await linkIn(page).waitFor();
  return (await linkIn(page).textContent()) ?? '';
}

/** Chooses from the menu of a person. */
async function choose(page: Page, person: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Manage ${person}`, exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

describe('people', { timeout: patienceMs }, () => {
  it('invites somebody from the menu with the keyboard alone, who then has an account [team.app.invite]', async () => {
    const page = await parley.visit();
    const complaints = complaintsOf(page);
    await page.getByRole('button', { name: 'person and settings' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Invite someone' }).press('Enter');
    const name = card(page, 'Invite someone').getByLabel('Name');
    await expect.poll(() => name.evaluate((field) => field === document.activeElement)).toBe(true);
    await page.keyboard.type('Jörg Müller');
    await page.getByText('They log in as joerg-mueller.').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await linkIn(page).waitFor();
    await expectAccessible(page);
    await card(page, 'Open invitations').getByText('joerg-mueller').waitFor();

    const second = await strangersPage(parley);
    await makeAccount(second, (await linkIn(page).textContent()) ?? '', own);
    await second.getByRole('button', { name: 'joerg-mueller: person and settings' }).click();
    expect(await second.getByRole('menuitem', { name: 'Invite someone' }).count()).toBe(0);
    await card(page, 'Everybody here').getByText('own account').waitFor();
    await card(page, 'Open invitations').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await second.context().close();
  });

  it('changes a role, which counts at once, disables, enables and removes [team.app.people] [team.rights.live]', async () => {
    const page = await peoplePage();
    const mia = await strangersPage(parley);
    await makeAccount(mia, await invite(page, 'mia'), own);
    await mia.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Claude Code' }).waitFor();

    await choose(page, 'mia', 'Change role');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('guest');
    await expect.poll(() => dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
    await dialog.getByLabel('Kitchen').check();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    const row = card(page, 'Everybody here').getByRole('listitem').filter({ hasText: 'mia' });
    await row.getByText('own account · Kitchen').waitFor();
    expect((await mia.request.get(`${parley.url}/api/claude/sessions`)).status()).toBe(403);
    await mia.getByRole('link', { name: 'Claude Code' }).waitFor({ state: 'detached' });

    await choose(page, 'mia', 'Disable account');
    await dialog.getByRole('button', { name: 'Disable account' }).click();
    await row.getByText('disabled').waitFor();
    await mia.getByLabel('Password').waitFor();
    await choose(page, 'mia', 'Enable account');
    await row.getByText('disabled').waitFor({ state: 'detached' });

    await choose(page, 'mia', 'Remove account');
    await dialog.getByText('Their notes and sessions will stay.').waitFor();
    await dialog.getByRole('button', { name: 'Remove account' }).click();
    await row.waitFor({ state: 'detached' });
    await mia.context().close();
  });

  it('makes a new link, which replaces the old one, and revokes an invitation [team.app.invite]', async () => {
    const page = await peoplePage({ viewport: phone, colorScheme: 'dark' });
    const first = await invite(page, 'ada');
    await expectAccessible(page);
    const invitations = card(page, 'Open invitations');
    await invitations.getByRole('button', { name: 'New link for ada' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const link = dialog.locator('pre');
    await link.waitFor();
    expect(await link.textContent()).not.toBe(first);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Done' }).click();
    await invitations.getByRole('button', { name: 'Revoke ada’s invitation' }).click();
    await invitations.waitFor({ state: 'detached' });
    const stranger = await strangersPage(parley);
    await stranger.goto(first);
    await stranger.getByText('This invitation was already used').waitFor();
    await stranger.context().close();
  });

  it('keeps what was typed if the server refuses [team.app.invite]', async () => {
    const page = await peoplePage();
    await page.route('**/api/invitations', (route) =>
      route.request().method() === 'POST' ? route.abort() : route.continue(),
    );
    const form = card(page, 'Invite someone');
    await form.getByLabel('Name').fill('Emil');
    await form.getByLabel('Role').selectOption('guest');
    await form.getByLabel('Notes').check();
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByRole('alert').waitFor();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Emil');
    await expect.poll(() => form.getByLabel('Notes').isChecked()).toBe(true);
  });
});
