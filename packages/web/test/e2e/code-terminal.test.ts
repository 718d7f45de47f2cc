// The program's terminal in the browser.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { prompts, say } from './chat-page.ts';
import { beginSession, hear } from './code-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, secondTab, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let page: Page;
beforeAll(async () => {
  page = await visit(parley.browser, parley, { path: '/code' });
}, patienceMs);

/** Screen readers get what the terminal shows. */
async function screen(): Promise<string> {
  return (await page.locator('.xterm-accessibility-tree').textContent()) ?? '';
}

describe('the terminal of a session', { timeout: patienceMs }, () => {
  it("shows the program's screen with the past of the session, and takes what is typed [code.session.mode-cli] [code.terminal.bytes]", async () => {
    const complaints = complaintsOf(page);
    await beginSession(page, parley, 'Run date');
    await hear(page, /printed:/);
    await page.getByRole('button', { name: 'Open in the terminal' }).click();
    await page.waitForURL(/\/terminal$/);
    await expect.poll(screen).toContain('Claude Code');
    await expect.poll(screen).toContain('Run date');
    await page.keyboard.type('Hello there');
    await expect.poll(screen).toContain('Hello there');
    await page.keyboard.press('Enter');
    await expect.poll(screen).toContain('scripted demo');
    expect(complaints).toEqual([]);
    const fonts = await page.evaluate(() =>
      [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    );
    expect(fonts.join()).toContain('DejaVu Mono');
  });

  it('tells the program when its size changes [code.terminal.resize]', async () => {
    const widest = async () =>
      Math.max(0, ...((await screen()).match(/─+/g) ?? []).map((line) => line.length));
    // The screen may be empty for a moment while it redraws.
    let before = 0;
    const isDrawn = async () => {
      before = await widest();
      return before > 0;
    };
    await expect.poll(isDrawn).toBe(true);
    await page.setViewportSize({ width: 900, height: 900 });
    const isNarrower = async () => {
      const now = await widest();
      return now > 0 && now < before;
    };
    await expect.poll(isNarrower).toBe(true);
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('finds text on the screen', async () => {
    await page.locator('.xterm-helper-textarea').focus();
    await page.keyboard.press('Control+f');
    await page.getByLabel('Search the terminal', { exact: true }).fill('no such words anywhere');
    await page.getByText('Not found').waitFor();
    await page.getByLabel('Search the terminal', { exact: true }).fill('Claude');
    await expect.poll(() => page.getByText('Not found').count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  it('is linked from the page while it has the session', async () => {
    const tab = await secondTab(page, page.url().replace(/\/terminal$/, ''));
    await tab.getByRole('alert').getByText('This session is open in a terminal.').waitFor();
    await expectAccessible(tab);
    await tab.getByRole('alert').getByRole('button', { name: 'Go to the terminal' }).click();
    await tab.waitForURL(/\/terminal$/);
    await tab.locator('.xterm-accessibility-tree').getByText('Claude').first().waitFor();
    await tab.close();
  });

  it('is taken over by the page, with the message that it refused [code.terminal.take-over]', async () => {
    const tab = await secondTab(page, page.url().replace(/\/terminal$/, ''));
    await tab.getByRole('alert').getByText('This session is open in a terminal.').waitFor();
    await say(tab, 'Now here');
    // Waits for the refusal: one that comes after the takeover would stay.
    await hear(tab, 'This session is open in a terminal.');
    await tab.getByRole('button', { name: 'Take over here' }).click();
    await hear(tab, /scripted demo/);
    await expect.poll(() => tab.getByRole('button', { name: 'Take over here' }).count()).toBe(0);
    await expect
      .poll(() => prompts(tab).allInnerTexts())
      .toEqual([
        expect.stringContaining('Run date'),
        expect.stringContaining('Hello there'),
        expect.stringContaining('Now here'),
      ]);
    await page.getByText('The terminal was closed.').waitFor();

    // The other way round: the terminal takes it from a turn that waits for an answer.
    await say(tab, 'Ask me a question');
    await tab.getByRole('region', { name: 'Claude has a question' }).waitFor();
    await page.getByRole('button', { name: 'Restart' }).click();
    await page.getByText('Claude is working on this session in the app.').waitFor();
    await page.getByRole('button', { name: 'Take over here' }).click();
    await expect.poll(screen).toContain('Now here');
    await tab.close();
  });

  it('is accessible', async () => {
    await expectAccessible(page);
  });

  it('gives the session back to the page', async () => {
    await page.getByRole('button', { name: 'Open as a page' }).click();
    await hear(page, 'Hello there');
  });
});
