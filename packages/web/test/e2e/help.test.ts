// The help menu: the tour, and the report of a problem.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
const titles = [
  'Two ways to work',
  'Say what you need',
  'One search for everything',
  'You and your devices',
  'If you get stuck',
];

async function choose(page: Page, entry: string): Promise<void> {
  await page.getByRole('button', { name: 'Help', exact: true }).press('Enter');
  await page.getByRole('menuitem', { name: entry }).press('Enter');
}

/** Whether the card is inside of the window. */
function isInside(page: Page): Promise<boolean> {
  return page.getByRole('dialog').evaluate((card) => {
    const { left, top, right, bottom } = card.getBoundingClientRect();
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
  });
}

describe('help', { timeout: patienceMs }, () => {
  it('leads through five stops by keyboard, on a small window too [app.help.tour]', async () => {
    const page = await parley.visit({ path: '/overview' });
    const complaints = complaintsOf(page);
    await choose(page, 'Take the tour');
    for (const [at, title] of titles.entries()) {
      const stop = page.getByRole('dialog', { name: title });
      await stop.waitFor();
      // Where a screen reader starts to read.
      await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe(title);
      expect(await stop.getByText(`${at + 1} of 5`).count()).toBe(1);
      if (at === 1) {
        await page.setViewportSize(phone);
        await expectAccessible(page);
      }
      await expect.poll(() => isInside(page)).toBe(true);
      if (at < 4) await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('ArrowLeft');
    await page.getByRole('dialog', { name: titles[3] ?? '' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(new URL(page.url()).pathname).toBe('/');

    // Again, from the menu that has it on phones.
    await page.getByRole('button', { name: /person and settings/ }).click();
    await page.getByRole('menuitem', { name: 'Take the tour' }).click();
    await page.getByRole('dialog', { name: titles[0] ?? '' }).waitFor();
    for (let at = 0; at < 4; at += 1) await page.getByRole('button', { name: 'Next' }).click();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(complaints).toEqual([]);
  });

  it('shows a report before it is copied or saved, without secrets [app.help.report]', async () => {
    const page = await parley.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    const facts = { generatedAt: '2026-11-17T12:00:00Z', version: '9.9.9' };
    await page.route('**/api/support', (route) => route.fulfill({ json: facts }));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(request.url());
    });
    await page.evaluate(() => {
      setTimeout(() => {
        throw new Error('broke with sk-ant-planted-secret at https://a.example/invite#planted');
      });
    });
    await page.waitForEvent('pageerror');
    await choose(page, 'Report a problem');
    const dialog = page.getByRole('dialog', { name: 'Report a problem' });
    await dialog.getByText('"version": "9.9.9"').waitFor();
    await dialog.getByLabel('What happened?').fill('The cake is a lie.');
    await expectAccessible(page);
    const shown = (await dialog.locator('pre').textContent()) ?? '';
    expect(shown).toContain('The cake is a lie.');
    expect(shown).toContain('"languages": [\n      "en-US"');
    expect(shown).toContain('broke with [hidden] at https://a.example/invite');
    expect(shown).not.toContain('planted');

    await dialog.getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Report copied').waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(shown);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toBe(shown);
    expect(asked).toEqual([]);
  });
});
