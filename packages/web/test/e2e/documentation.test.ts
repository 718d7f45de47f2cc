// The documentation in a browser: without a login, with its search, in light and dark and on a phone.
import { describe, expect, it } from 'vitest';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

describe('the documentation', { timeout: patienceMs }, () => {
  it('finds a section, opens it with the keyboard, and is accessible everywhere [ops.help.search] [ops.help.video]', async () => {
    const context = await parley.browser.newContext({ locale: 'en-US', reducedMotion: 'reduce' });
    const page = await context.newPage();
    const problems: string[] = [];
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));

    await page.goto(`${parley.url}/help`);
    await expectAccessible(page);
    await page.keyboard.press('/');
    await page.keyboard.type('bot silent');
    await page.getByRole('option', { name: /A bot is silent/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/help\/troubleshooting\.html#a-bot-is-silent$/);
    await page.getByRole('heading', { name: 'A bot is silent' }).waitFor();

    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize(phone);
    for (const name of ['index', 'getting-started', 'programs', 'configuration', 'api-sessions']) {
      await page.goto(`${parley.url}/help/${name}.html`);
      await expectAccessible(page);
      const isWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect([name, isWide]).toEqual([name, false]);
    }
    await page.goto(`${parley.url}/help/getting-started.html`);
    const video = page.getByLabel('A short video of the demo');
    // It starts only when somebody wants it to.
    await expect
      .poll(() => video.evaluate((element: HTMLVideoElement) => element.duration))
      .toBeGreaterThan(10);
    expect(await video.evaluate((element: HTMLVideoElement) => element.paused && element.controls)).toBe(
      true,
    );
    const seeked = video.evaluate(async (element: HTMLVideoElement) => {
      const done = new Promise((resolve) => element.addEventListener('seeked', resolve));
      element.currentTime = element.duration - 1;
      await done;
      return element.error;
    });
    expect(await seeked).toBe(null);
    await page.getByText('Menu', { exact: true }).click();
    await page.getByRole('link', { name: 'Telegram' }).first().click();
    await page.getByRole('heading', { name: 'Telegram', level: 1 }).waitFor();
    expect(problems).toEqual([]);
    await context.close();
  });
});
