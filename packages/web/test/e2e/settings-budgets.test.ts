// Budgets in the settings: what is used, and raising one that stopped a turn.
import { reply } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { conversation, say } from './chat-page.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley({
  scripted: true,
  config: {
    budgets: [{ scope: 'person', subject: 'petra', period: 'month', unit: 'usd', limit: 20 }],
  },
});

const budget = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

describe('budgets in the settings', { timeout: patienceMs }, () => {
  it('stop a turn on the page, which continues after the owner raised them [team.budgets.page]', async () => {
    const page = await parley.visit({ path: '/settings/budgets' });
    await page.getByRole('button', { name: 'New budget' }).click();
    const dialog = page.getByRole('dialog', { name: 'New budget' });
    await dialog.getByLabel('Which person').selectOption('sebastian');
    await dialog.getByLabel('Period').selectOption('per day');
    await dialog.getByLabel('Unit').selectOption('Tokens');
    await dialog.getByLabel('Limit in tokens').fill('1');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await budget(page, 'You').getByText('0 tokens of 1 tokens').waitFor();

    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    parley.model.enqueue(reply('The first answer.'));
    await say(page, 'Hello');
    await conversation(page).getByText('The first answer.').waitFor();
    await say(page, 'And again?');
    const refusal = conversation(page).getByRole('alert');
    await refusal.getByText('The daily budget for sebastian is used up').waitFor();
    const chat = page.url();

    await refusal.getByRole('link', { name: 'Budgets' }).click();
    await budget(page, 'You').getByText('Used up').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Raise the budget: You' }).click();
    await page.getByLabel('Limit in tokens').fill('1000000');
    await page.getByRole('button', { name: 'Save' }).click();
    await budget(page, 'You').getByText('of 1M tokens').waitFor();
    await expect.poll(() => budget(page, 'You').getByText('Used up').count()).toBe(0);

    await page.goto(chat);
    parley.model.enqueue(reply('The second answer.'));
    await conversation(page).getByRole('button', { name: 'Retry' }).click();
    await conversation(page).getByText('The second answer.').waitFor();
  });

  it('from the configuration file are shown as such, in German and on a phone', async () => {
    const page = await parley.visit({ path: '/settings/budgets', viewport: phone, locale: 'de-DE' });
    const fixed = budget(page, 'petra');
    await fixed.getByText('Aus der Konfigurationsdatei').waitFor();
    expect(await fixed.getByRole('button').count()).toBe(0);
    await page.getByRole('meter', { name: 'Belegter Speicher' }).waitFor();
    await expectAccessible(page);
  });

  it('are removed after a confirmation', async () => {
    const page = await parley.visit({ path: '/settings/budgets' });
    await page.getByRole('button', { name: 'Remove the budget: You' }).click();
    const dialog = page.getByRole('dialog', { name: 'Remove this budget?' });
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await dialog.waitFor({ state: 'hidden' });
    await budget(page, 'You').waitFor({ state: 'hidden' });
    await budget(page, 'petra').waitFor();
  });
});
