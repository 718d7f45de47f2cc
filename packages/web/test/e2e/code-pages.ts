// What people do on the Claude Code pages.
import type { Page } from 'playwright-core';
import { composer, conversation } from './chat-page.ts';
import type { Parley } from './harness.ts';

/** Starts a session in the sample project and stays on its page. */
export async function beginSession(page: Page, { url }: Pick<Parley, 'url'>, prompt = ''): Promise<string> {
  await page.goto(`${url}/code/new`);
  return fillInSession(page, prompt);
}

/** The same on a page that has just opened the form for a new session. */
export async function fillInSession(page: Page, prompt = ''): Promise<string> {
  const dialog = page.getByRole('dialog', { name: 'New session' });
  await dialog.getByRole('button', { name: 'reading-list', exact: true }).click();
  if (prompt !== '') await dialog.getByLabel('First message').fill(prompt);
  await dialog.getByRole('button', { name: 'Start' }).click();
  await page.waitForURL(/\/code\/[0-9a-f-]{36}$/);
  return page.url().slice(-36);
}

export async function say(page: Page, words: string): Promise<void> {
  await composer(page).fill(words);
  await composer(page).press('Enter');
}

/** Waits for text in the conversation. */
export async function hear(page: Page, words: string | RegExp): Promise<void> {
  await conversation(page).getByText(words).last().waitFor();
}
