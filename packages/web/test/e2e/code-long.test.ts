// A long session that was begun elsewhere: it opens at its end, and reads back to its beginning as one scrolls.
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversation, hear } from './code-pages.ts';
import { openBrowser, type Parley, patienceMs, startParley, visit } from './harness.ts';
import { writeTranscript } from './long-transcript.ts';

const messages = 10_000;
let parley: Parley;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  const id = writeTranscript(parley, { messages });
  page = await visit(browser, parley, { path: `/code/${id}` });
}, patienceMs);
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
}, patienceMs);

describe('a session of ten thousand messages', { timeout: patienceMs }, () => {
  it('opens at its end, and draws only what one can see', async () => {
    await hear(page, 'Prompt number 2499');
    expect(await conversation(page).locator('[data-index]').count()).toBeLessThan(60);
  });

  it('stays where one reads while older messages come in above', async () => {
    const rows = () =>
      conversation(page)
        .locator('[data-index]')
        .evaluateAll((elements) =>
          elements.map((element) => ({
            text: element.textContent,
            top: element.getBoundingClientRect().top,
          })),
        );
    /** Rows that are drawn for the first time take a moment to find their place. */
    const settledRows = async () => {
      let before = await rows();
      let same = 0;
      await expect
        .poll(
          async () => {
            const last = JSON.stringify(before);
            before = await rows();
            same = JSON.stringify(before) === last ? same + 1 : 0;
            return same;
          },
          { timeout: 10_000, interval: 60 },
        )
        .toBeGreaterThan(4);
      return before;
    };
    await conversation(page).hover();
    for (let step = 0; step < 12; step += 1) {
      const seen = (await settledRows()).find(({ top }) => top > 250);
      await page.mouse.wheel(0, -200);
      await expect
        .poll(
          async () => {
            const now = (await rows()).find(({ text }) => text === seen?.text);
            return Math.round((now?.top ?? 0) - (seen?.top ?? 0));
          },
          { timeout: 10_000 },
        )
        .toBeOneOf([199, 200, 201]);
    }
  });

  it('reads back to its first message', async () => {
    await conversation(page).focus();
    await expect
      .poll(
        async () => {
          await conversation(page).press('Home');
          return conversation(page).getByText('Prompt number 0', { exact: true }).count();
        },
        { timeout: 100_000, interval: 100 },
      )
      .toBe(1);
    expect(await conversation(page).locator('[data-index]').count()).toBeLessThan(60);
  });

  it('goes to its end again', async () => {
    await page.getByRole('button', { name: 'Go to the end' }).click();
    await hear(page, 'Prompt number 2499');
  });
});
