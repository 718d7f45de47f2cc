// Bots in the settings, with a stand-in of Telegram.
import { startTelegramStandIn } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const telegram = await startTelegramStandIn();
afterAll(() => telegram.close());
const parley = runningParley({
  hasOwner: true,
  config: { channels: { telegram: { apiRoot: telegram.url } } },
  environment: {
    DISCORD_BOT_TOKEN: 'planted-token-of-the-environment',
    DISCORD_API_ROOT: 'http://127.0.0.1:9',
  },
});

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

describe('bots in the settings', { timeout: patienceMs }, () => {
  it('are added, tried, turned off and removed [team.settings.page.bots]', async () => {
    const page = await parley.visit({ path: '/settings/bots' });
    const complaints = complaintsOf(page);
    const row = page.getByRole('listitem').filter({ hasText: 'Telegram' });
    await button(page, 'Add a bot').click();
    await field(page, 'Token').fill('123:wrong');
    await button(page, 'Test').click();
    await page.getByText('Telegram does not accept its token').waitFor();
    await field(page, 'Token').fill(telegram.token);
    await button(page, 'Test').click();
    await page.getByText('The token works.').waitFor();
    await field(page, 'Who may use it').fill('somebody');
    await button(page, 'Save').click();
    await page.getByText('expected a numeric id').waitFor();
    await field(page, 'Who may use it').fill('123456789');
    await expectAccessible(page);
    await button(page, 'Save').click();
    await row.getByText('running').waitFor();
    expect(await page.content()).not.toContain(telegram.token);

    await button(page, 'Edit: Telegram').click();
    await expect.poll(() => field(page, 'Who may use it').inputValue()).toBe('123456789');
    await field(page, 'On').uncheck();
    await button(page, 'Save').click();
    await row.getByText('off', { exact: true }).waitFor();
    await button(page, 'Remove Telegram').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await row.waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('can have a name and settings of their own [team.settings.page.bots]', async () => {
    const page = await parley.visit({ path: '/settings/bots', viewport: phone, colorScheme: 'dark' });
    await button(page, 'Add a bot').click();
    await field(page, 'Name').fill('family');
    await field(page, 'Token').fill(telegram.token);
    await page.getByText('More settings').click();
    await page
      .getByRole('form', { name: 'Add a bot' })
      .getByLabel('Who answers')
      .selectOption('messages-api');
    await button(page, 'Save').click();
    const row = page.getByRole('listitem').filter({ hasText: 'family · Telegram' });
    await row.getByText('running').waitFor();
    await row.getByText('No one can use it yet.').waitFor();
    await expectAccessible(page);
    await button(page, 'Edit: family · Telegram').click();
    await field(page, 'Who may use it').fill('*');
    await field(page, 'On').uncheck();
    await button(page, 'Save').click();
    await row.getByText('off', { exact: true }).waitFor();
    await row.getByText('No one can use it yet.').waitFor({ state: 'detached' });
  });

  it('show that a variable sets their token [team.settings.page.origins]', async () => {
    const page = await parley.visit({ path: '/settings/bots' });
    await page.getByText('Set by the variable DISCORD_BOT_TOKEN.').waitFor();
    await button(page, 'Edit: Discord').click();
    await expect.poll(() => field(page, 'Token').isDisabled()).toBe(true);
    await field(page, 'Who may use it').fill('42');
    await button(page, 'Save').click();
    // It closes when it is saved.
    await button(page, 'Save').waitFor({ state: 'hidden' });
    await button(page, 'Edit: Discord').click();
    await expect.poll(() => field(page, 'Who may use it').inputValue()).toBe('42');
    expect(await button(page, 'Remove Discord').count()).toBe(0);
  });
});
