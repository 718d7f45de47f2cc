// A long session that was started elsewhere opens at its end, and loads older messages while scrolling up. It has 3,000
// messages, or 10,000 with PARLEY_LONG=1.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { conversation } from './chat-page.ts';
import { hear } from './code-pages.ts';
import { patienceMs, visit } from './harness.ts';
import { writeTranscript } from './long-transcript.ts';
import { runningParley } from './running-parley.ts';

const messages = process.env['PARLEY_LONG'] === '1' ? 10_000 : 3_000;
/** Every prompt has four messages. */
const last = messages / 4 - 1;
const parley = runningParley();
let page: Page;
beforeAll(async () => {
  const id = writeTranscript(parley, { messages });
  page = await visit(parley.browser, parley, { path: `/code/${id}` });
}, patienceMs);

describe(`a session of ${messages} messages`, { timeout: patienceMs }, () => {
  it('opens at its end, and draws only the rows in view', async () => {
    await hear(page, `Prompt number ${last}`);
    expect(await conversation(page).locator('[data-index]').count()).toBeLessThan(60);
  });

  it('does not move while older messages load above', async () => {
    const rows = () =>
      conversation(page)
        .locator('[data-index]')
        .evaluateAll((elements) =>
          elements.map((element) => ({
            text: element.textContent,
            top: element.getBoundingClientRect().top,
          })),
        );
    /** Rows that are drawn for the first time take a moment to settle. */
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
          { timeout: 60_000, interval: 60 },
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
          { timeout: 60_000 },
        )
        .toBeOneOf([199, 200, 201]);
    }
  });

  it('scrolls back to its first message', async () => {
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

  it('jumps to its end again', async () => {
    await page.getByRole('button', { name: 'Jump to the end' }).click();
    await hear(page, `Prompt number ${last}`);
  });

  it('remembers which calls were opened and closed after scrolling away and back', async () => {
    const call = (number: number) =>
      conversation(page).getByRole('button', { name: new RegExp(`^Run echo ${number}\\b`) });
    const isOpen = (number: number) => call(number).getAttribute('aria-expanded');
    await call(last).click();
    await call(last - 1).click();
    await call(last - 1).click();
    expect([await isOpen(last), await isOpen(last - 1)]).toEqual(['false', 'true']);
    await conversation(page).press('Home');
    await expect.poll(() => call(last).count()).toBe(0);
    await page.getByRole('button', { name: 'Jump to the end' }).click();
    await call(last).waitFor();
    expect([await isOpen(last), await isOpen(last - 1)]).toEqual(['false', 'true']);
  });
});
