// Takes the pictures that don't move.
import { startDiscordStandIn, startTelegramStandIn } from '@parley/stand-ins';
import type { Browser, Page } from 'playwright-core';
import * as chat from '../../test/e2e/chat-page.ts';
import * as code from '../../test/e2e/code-pages.ts';
import { phone, startParley, visit } from '../../test/e2e/harness.ts';

export async function takeStills(
  browser: Browser,
  store: (name: string, png: Buffer) => void,
): Promise<void> {
  const shoot = async (page: Page, name: string) => store(name, await page.screenshot());
  const telegram = await startTelegramStandIn();
  const discord = await startDiscordStandIn();
  const parley = await startParley({
    environment: {
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.url,
      DISCORD_BOT_TOKEN: discord.token,
      DISCORD_API_ROOT: discord.url,
    },
  });
  try {
    const page = await visit(browser, parley, { colorScheme: 'light' });
    await page.getByRole('radiogroup', { name: 'Choose an assistant' }).waitFor();
    await shoot(page, 'welcome');
    await chat.choose(page, 'Kitchen');
    await chat.say(page, 'What recipes do I have?');
    await chat.conversation(page).getByText('Roasted Tomato Soup').waitFor();
    await chat.answered(page);
    await chat.say(page, 'Show me the Apple Crumble');
    await chat.recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
    await chat.conversation(page).getByText('35 to cook').waitFor();
    await chat.answered(page);
    // Tall enough for the whole conversation.
    await page.setViewportSize({ width: 1440, height: 1010 });
    await shoot(page, 'chat');
    await page.setViewportSize({ width: 1440, height: 900 });

    await code.beginSession(page, parley, 'Edit README.md: replace tiny with small');
    await page.getByRole('button', { name: /Allow once/ }).click();
    await code.hear(page, 'now says');
    await chat.answered(page);
    await code.say(page, 'Run touch hello.txt');
    await page.getByRole('button', { name: /Allow once/ }).waitFor();
    await shoot(page, 'claude-code');

    await page.goto(`${parley.url}/overview`);
    await page.getByText('Cost per day').first().waitFor();
    await page.getByText('running').nth(1).waitFor();
    await page.setViewportSize({ width: 1440, height: 1080 });
    await shoot(page, 'overview');

    const dark = { colorScheme: 'dark', viewport: phone, person: 'petra' } as const;
    const small = await visit(browser, parley, dark);
    await chat.say(small, 'What is on my shopping list?');
    await small.getByRole('button', { name: 'Copy answer' }).waitFor();
    await shoot(small, 'phone');
  } finally {
    await parley.stop();
    await telegram.close();
    await discord.close();
  }
}
