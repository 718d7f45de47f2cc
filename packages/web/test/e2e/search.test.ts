// Search everywhere: the palette, and finding text in a conversation.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answered, choose, composer, conversation, say } from './chat-page.ts';
import { expectAccessible, patienceMs, visit } from './harness.ts';
import { writeTranscript } from './long-transcript.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley();
let page: Page;
let long: string;

const field = () => page.getByRole('combobox', { name: 'Search everything' });
const group = (name: string) => page.getByRole('group', { name, exact: true });

async function search(text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await field().fill(text);
}

beforeAll(async () => {
  long = writeTranscript(parley, { messages: 4_000 });
  page = await visit(parley.browser, parley, { path: '/' });
}, patienceMs);

describe('the palette', { timeout }, () => {
  it('shows what was used last, and finds every kind of thing [app.search.palette.recent] [app.search.palette.everything]', async () => {
    await choose(page, 'Kitchen');
    await say(page, 'Something with a zucchini, please');
    await answered(page);
    await page.keyboard.press('Control+k');
    await group('Recent')
      .getByRole('option', { name: /zucchini/ })
      .waitFor();
    await group('Recent')
      .getByRole('option', { name: /Prompt number 0/ })
      .waitFor();
    await group('Commands').getByRole('option').first().waitFor();
    await expectAccessible(page);
    await field().fill('zucch');
    await group('Conversations')
      .getByRole('option', { name: /zucchini/ })
      .waitFor();
    await group('Messages')
      .getByRole('option', { name: /zucchini/ })
      .waitFor();
    await field().fill('number 999');
    await group('Messages')
      .getByRole('option', { name: /Answer number 999/ })
      .waitFor();
    await field().fill('my acc');
    await group('Settings').getByRole('option', { name: 'My account' }).waitFor();
    await expect.poll(() => page.getByRole('option', { selected: true }).innerText()).toContain('My account');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'My account' }).first().waitFor();
    await search('crumbl');
    await group('Recipes').getByRole('option').first().click();
    await page.waitForURL(/\/recipes\//);
    await search('md');
    await group('Files').getByRole('option', { name: /\.md$/ }).first().click();
    await page.waitForURL(/panel=files&file=/);
  });

  it('shows what arrives first, and forgets what nobody waits for [app.search.palette.streams]', async () => {
    let isCanceled = false;
    page.on('requestfailed', (request) => {
      if (request.url().includes('q=zucchi&')) isCanceled = true;
    });
    // One source never answers.
    await page.route(/api\/claude\/sessions\?.*q=/, () => undefined);
    // Not what was searched before, which may not be asked again.
    await search('zucchi');
    await group('Conversations')
      .getByRole('option', { name: /zucchini/ })
      .waitFor();
    await field().fill('zucchini please');
    await expect.poll(() => isCanceled).toBe(true);
    await page.unroute(/api\/claude\/sessions\?.*q=/);
    await page.keyboard.press('Escape');
  });

  it('opens with a button on a phone [app.search.palette.everything]', async () => {
    const phone = await parley.visit({ viewport: { width: 360, height: 740 } });
    await phone.getByRole('button', { name: 'Search everything' }).click();
    await phone.getByRole('combobox', { name: 'Search everything' }).fill('zucch');
    await phone
      .getByRole('option', { name: /zucchini/ })
      .first()
      .click();
    await conversation(phone)
      .getByText(/zucchini/)
      .first()
      .waitFor();
    expect(await phone.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  });
});

describe('finding text in a conversation', { timeout }, () => {
  const find = () => page.getByRole('textbox', { name: 'Find', exact: true });
  const status = () => page.getByRole('search').getByRole('status');

  it('leads to what is not loaded yet, and to the next and previous [app.search.session.find]', async () => {
    await page.goto(`${parley.url}/code/${long}`);
    await conversation(page).getByText('Prompt number 999').waitFor();
    await page.keyboard.press('Control+f');
    await find().fill('PROMPT number 12');
    // 12 and 120 to 129.
    await expect.poll(() => status().innerText()).toBe('11 of 11');
    await conversation(page).getByText('Prompt number 129', { exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Next match' }).click();
    await expect.poll(() => status().innerText()).toBe('1 of 11');
    await conversation(page).getByText('Prompt number 12', { exact: true }).waitFor();
    await find().press('Enter');
    await expect.poll(() => status().innerText()).toBe('11 of 11');
    await find().fill('nobody said this');
    await page.getByRole('search').getByText('No results').waitFor();
    await find().press('Escape');
    await find().waitFor({ state: 'hidden' });
  });

  it('works in chats too, and opens from a message that the palette found [app.search.session.find]', async () => {
    await search('zucchini');
    await group('Messages')
      .getByRole('option', { name: /zucchini/ })
      .first()
      .click();
    await page.waitForURL(/\/chat\/.*find=zucchini/);
    await expect.poll(() => status().innerText()).toMatch(/^\d+ of \d+$/);
    await conversation(page)
      .getByText(/zucchini/)
      .first()
      .waitFor();
    await find().press('Escape');
    await composer(page).waitFor();
  });
});
