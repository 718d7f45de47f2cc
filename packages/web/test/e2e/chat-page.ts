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

/** Waits until the last prompt is answered. */
export async function answered(page: Page): Promise<void> {
  const rows = conversation(page).locator('[data-index]');
  await rows.first().waitFor();
  // In the order in which a prompt is shown: on its way, alone at the end, being answered.
  await page.getByText('Sending …').first().waitFor({ state: 'hidden' });
  await rows.and(page.locator(':last-child:not(:has(article))')).waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).waitFor({ state: 'hidden' });
}

export function recipePanel(page: Page): Locator {
  return page.getByRole('complementary', { name: 'Recipe' });
}
