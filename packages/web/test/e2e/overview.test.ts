// The overview: usage, and how tool servers and bots are doing, with the real libraries of the services behind it.
import {
  type DiscordStandIn,
  startDiscordStandIn,
  startTelegramStandIn,
  type TelegramStandIn,
} from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { say } from './chat-page.ts';
import { expectAccessible, type Parley, patienceMs, phone, startParley, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;

const channels = (page: Page) => page.getByRole('region', { name: 'Bots' });

describe('the overview', { timeout }, () => {
  const parley = runningParley({ hasOwner: true });

  it('shows what was used by day, model, person and conversation, and how to add a bot', async () => {
    const page = await parley.visit();
    await say(page, 'What is on my shopping list?');
    await page.getByRole('button', { name: 'Copy answer' }).waitFor();
    await page.goto(`${parley.url}/overview`);
    await page.getByRole('region', { name: 'By model' }).getByText('Sonnet 5.5').waitFor();
    await page.getByRole('region', { name: 'By person' }).getByText('sebastian').waitFor();
    await page.getByRole('link', { name: 'What is on my shopping list?' }).waitFor();
    await page.getByRole('region', { name: 'MCP servers' }).getByText('recipes', { exact: true }).waitFor();
    await channels(page).getByText('No bots yet.').waitFor();
    await channels(page).getByText('TELEGRAM_BOT_TOKEN').waitFor();
    await expectAccessible(page);
    await page.setViewportSize(phone);
    await expectAccessible(page);
    expect(await sideways(page)).toBe(0);
  });

  it('shows people by the names they chose', async () => {
    const page = await parley.visit();
    await page.request.patch(`${parley.url}/api/account`, { data: { displayName: 'Sebastian B.' } });
    await page.goto(`${parley.url}/overview`);
    await page
      .getByRole('region', { name: 'By person' })
      .getByText('Sebastian B.', { exact: true })
      .waitFor();
  });

  it('puts the date of a day below its bar', async () => {
    const page = await parley.visit({ path: '/overview' });
    const chart = page.locator('figure').first();
    await chart.waitFor();
    const misplaced = await chart.evaluate((figure) => {
      const bars = [...figure.querySelectorAll('rect')].map((bar) => bar.getBoundingClientRect());
      const columns = [...figure.querySelectorAll(':scope > div > span')];
      return columns.flatMap((column, index) => {
        const label = column.firstElementChild?.getBoundingClientRect();
        const bar = bars[index];
        if (!label || !bar) return [];
        const middle = bar.left + bar.width / 2;
        return label.left <= middle && middle <= label.right ? [] : [column.textContent];
      });
    });
    expect(misplaced).toEqual([]);
    await expect.poll(() => chart.locator(':scope > div > span > span').count()).toBeGreaterThan(3);
  });

  it('leaves room between the dates on a phone', async () => {
    const page = await parley.visit({ path: '/overview', viewport: phone, locale: 'de-DE' });
    const labels = page.locator('figure').first().locator(':scope > div > span > span');
    await labels.last().waitFor();
    const boxes = (await Promise.all((await labels.all()).map((label) => label.boundingBox()))).filter(
      (box) => box !== null,
    );
    expect(boxes.length).toBeGreaterThan(2);
    const gaps = boxes.slice(1).map((box, at) => box.x - (boxes[at]?.x ?? 0) - (boxes[at]?.width ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThan(0);
  });

  describe('with bots', () => {
    let withBots: Parley;
    let telegram: TelegramStandIn;
    let discord: DiscordStandIn;
    beforeAll(async () => {
      [telegram, discord] = await Promise.all([startTelegramStandIn(), startDiscordStandIn()]);
      withBots = await startParley({
        environment: {
          TELEGRAM_BOT_TOKEN: telegram.token,
          TELEGRAM_API_ROOT: telegram.url,
          TELEGRAM_ALLOW_FROM: '1',
          DISCORD_BOT_TOKEN: 'a-token-that-nobody-knows',
          DISCORD_API_ROOT: discord.url,
        },
        config: {
          channels: {
            more: [{ name: 'garden', service: 'discord', token: discord.token, allowFrom: [1] }],
          },
        },
      });
    }, timeout);
    afterAll(async () => {
      await withBots?.stop();
      await telegram?.close();
      await discord?.close();
    }, timeout);

    it('shows which answer, and what to do about those that cannot', async () => {
      const page = await visit(parley.browser, withBots, { path: '/overview' });
      const bot = (name: string) =>
        channels(page)
          .getByRole('listitem')
          .filter({ hasText: new RegExp(`^${name}`) });
      await bot('Telegram').getByText('running').waitFor();
      await bot('Telegram').getByText(`@${telegram.bot.username}`).waitFor();
      await bot('Discord').getByText('failed').waitFor();
      const words = await bot('Discord').getByRole('alert').textContent();
      expect(words).toMatch(/does not accept this token\..*DISCORD_BOT_TOKEN to it, and restart Parley\./);
      await bot('garden · Discord').getByText('running').waitFor();
      expect(await page.content()).not.toContain('a-token-that-nobody-knows');
      await expectAccessible(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.reload();
      await bot('Discord').getByRole('alert').waitFor();
      await expectAccessible(page);

      const conflict = { kind: 'refuse', code: 409, description: 'Conflict: terminated' } as const;
      telegram.failNext('getUpdates', ...Array.from({ length: 4 }, () => conflict));
      telegram.inject({ from: { id: 1, is_bot: false, first_name: 'Ada' }, fields: { text: '/help' } });
      await bot('Telegram').getByText('failed').waitFor();
      await bot('Telegram').getByText('Another program is reading the messages of this bot.').waitFor();
      await bot('Telegram').getByText('running').waitFor();
      await page.context().close();
    });
  });
});

/** How far the page can be scrolled sideways, which should never be possible. */
function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
