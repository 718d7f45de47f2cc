// The chat page as a person uses it.
import type { Locator, Page } from 'playwright-core';

export function composer(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Message', exact: true });
}

export async function choose(page: Page, assistant: string): Promise<void> {
  await page.getByRole('radio', { name: assistant }).check({ force: true });
}

export async function say(page: Page, text: string): Promise<void> {
  await composer(page).fill(text);
  await composer(page).press('Enter');
}

export function conversation(page: Page): Locator {
  return page.getByRole('log', { name: 'Conversation' });
}

/** What people said, oldest first. */
export function prompts(page: Page): Locator {
  return conversation(page).getByRole('article');
}

/** Waits until nothing runs. */
export async function answered(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
  await page.getByText('Sending …').first().waitFor({ state: 'hidden' });
}

export function recipePanel(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Recipe' });
}
