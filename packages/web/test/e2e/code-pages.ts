// What people do on the pages of Claude Code, for the tests of them.
import { type Locator, type Page } from 'playwright-core';
import type { Parley } from './harness.ts';

/** Begins a session in the sample project and stays on its page. */
export async function beginSession(page: Page, { url }: Pick<Parley, 'url'>, prompt = ''): Promise<string> {
  await page.goto(`${url}/code/new`);
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByRole('button', { name: 'reading-list', exact: true }).click();
  if (prompt !== '') await dialog.getByLabel('First prompt').fill(prompt);
  await dialog.getByRole('button', { name: 'Begin' }).click();
  await page.waitForURL(/\/code\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

export async function say(page: Page, words: string): Promise<void> {
  await page.getByLabel('Prompt', { exact: true }).fill(words);
  await page.keyboard.press('Enter');
}

export function conversation(page: Page): Locator {
  return page.getByRole('log', { name: 'Conversation' });
}

/** Waits for words in the conversation. */
export async function hear(page: Page, words: string | RegExp): Promise<void> {
  await conversation(page).getByText(words).last().waitFor();
}
