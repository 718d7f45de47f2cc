// Takes the pictures of the README from a real server in demo mode with the real `claude` program.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startDiscordStandIn, startTelegramStandIn } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import * as chat from '../test/e2e/chat-page.ts';
import * as code from '../test/e2e/code-pages.ts';
import { openBrowser, phone, startParley, visit } from '../test/e2e/harness.ts';

const folder = join(process.cwd(), 'docs', 'images');
mkdirSync(folder, { recursive: true });
const shoot = async (page: Page, name: string) => {
  await page.screenshot({ path: join(folder, `${name}.png`) });
  console.log(`wrote docs/images/${name}.png`);
};

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
const browser = await openBrowser();
try {
  const page = await visit(browser, parley, { colorScheme: 'light' });
  await shoot(page, 'welcome');
  await chat.choose(page, 'Kitchen');
  await chat.say(page, 'What recipes do I have?');
  await chat.conversation(page).getByText('Roasted Tomato Soup').waitFor();
  await chat.answered(page);
  await chat.say(page, 'Show me the Apple Crumble');
  await chat.answered(page);
  await chat.recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
  await shoot(page, 'chat');

  await code.beginSession(page, parley, 'Edit README.md: replace tiny with small');
  await page.getByRole('button', { name: /Allow once/ }).click();
  await code.hear(page, 'now says');
  await code.say(page, 'Run touch hello.txt');
  await page.getByRole('button', { name: /Allow once/ }).waitFor();
  await shoot(page, 'claude-code');

  await page.goto(`${parley.url}/overview`);
  await page.getByText('Cost per day').first().waitFor();
  await page.getByText('running').nth(1).waitFor();
  await page.setViewportSize({ width: 1440, height: 1080 });
  await shoot(page, 'overview');

  const small = await visit(browser, parley, { viewport: phone, colorScheme: 'dark', person: 'petra' });
  await chat.say(small, 'What is on my shopping list?');
  await small.getByRole('button', { name: 'Copy the answer' }).waitFor();
  await shoot(small, 'phone');
} finally {
  await browser.close();
  await parley.stop();
  await telegram.close();
  await discord.close();
}
