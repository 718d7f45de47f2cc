// Organizing sessions in the list: pins, tags, groups, several at once, and deleting with undo.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { answered, say } from './chat-page.ts';
import { expectAccessible, patienceMs, visit } from './harness.ts';
import { writeTranscript } from './long-transcript.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley();
let page: Page;

const list = (name: string) => page.getByRole('list', { name: `Conversations: ${name}` });
const row = (name: RegExp) =>
  page.getByRole('navigation', { name: 'Conversations' }).getByRole('link', { name });

// By its row, because rows move when something is pinned or answered.
const box = (title: string) =>
  page.getByRole('listitem').filter({ hasText: title }).getByRole('checkbox', { name: 'Select' });

async function menu(title: RegExp, item: string): Promise<void> {
  await page.getByRole('button', { name: title }).first().click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

beforeAll(async () => {
  writeTranscript(parley, { messages: 8 });
  page = await visit(parley.browser, parley, { path: '/' });
  for (const text of ['About apples', 'About beans', 'About carrots']) {
    await page.goto(`${parley.url}/`);
    await say(page, text);
    await page.waitForURL(/\/chat\//);
    await answered(page);
  }
}, patienceMs);

describe('the list of conversations', { timeout }, () => {
  it('has what is pinned first, and finds tags and the archive [app.organize.list]', async () => {
    await menu(/More options for About apples/, 'Pin');
    await list('Pinned')
      .getByRole('link', { name: /apples/ })
      .waitFor();
    expect(
      await list('Today')
        .getByRole('link', { name: /apples/ })
        .count(),
    ).toBe(0);
    await menu(/More options for About beans/, 'Tags …');
    await page.getByLabel('Tags, separated by commas').fill('garden, food');
    await page.getByRole('button', { name: 'Save' }).click();
    await row(/#food #garden/).waitFor();
    await page.getByLabel('Tag', { exact: true }).selectOption('garden');
    await expect.poll(() => row(/About/).count()).toBe(1);
    await page.getByLabel('Tag', { exact: true }).selectOption('');
    await menu(/More options for About apples/, 'Unpin');
    await list('Today')
      .getByRole('link', { name: /apples/ })
      .waitFor();
  });

  it('archives and deletes several at once, and brings them back [app.organize.list] [app.organize.delete.undo]', async () => {
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    await box('About carrots').check();
    await box('About beans').press('Space');
    await page.getByText('2 selected').waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Archive', exact: true }).click();
    await expect.poll(() => row(/About/).count()).toBe(1);
    await page.getByRole('button', { name: 'Archived', exact: true }).click();
    await expect.poll(() => row(/About/).count()).toBe(2);
    await page.getByRole('button', { name: 'Select', exact: true }).click();
    for (const title of ['About carrots', 'About beans']) await box(title).check();
    await page.getByRole('toolbar').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('2 deleted.').waitFor();
    await expect.poll(() => row(/About/).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => row(/About/).count()).toBe(2);
  });
});

describe('the list of Claude Code sessions', { timeout }, () => {
  it('is grouped by day or project, and deletes several on a phone [app.organize.list]', async () => {
    const phone = await parley.visit({ path: '/code', viewport: { width: 360, height: 740 } });
    const session = phone.getByRole('link', { name: /Prompt number 0/ });
    await phone.getByRole('list', { name: 'Sessions: Today' }).waitFor();
    await phone.getByRole('button', { name: 'By project' }).click();
    await phone.getByRole('list', { name: 'Sessions: reading-list' }).waitFor();
    await expectAccessible(phone);
    await phone.getByRole('button', { name: 'Select', exact: true }).click();
    await phone.getByRole('checkbox', { name: 'Select' }).first().check();
    await phone.getByRole('toolbar').getByRole('button', { name: 'Delete', exact: true }).click();
    await phone.getByText('1 deleted.').waitFor();
    await session.waitFor({ state: 'hidden' });
    await phone.getByRole('button', { name: 'Undo' }).click();
    await session.waitFor();
  });
});
