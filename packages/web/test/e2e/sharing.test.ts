// A session that its owner shares with a second person, to read it and to take part, live in two browsers.
import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, composer, conversation, say } from './chat-page.ts';
import { beginSession } from './code-pages.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

async function openDialog(page: Page, menu: string): Promise<Locator> {
  await page.getByRole('button', { name: menu }).click();
  await page.getByRole('menuitem', { name: 'Share …' }).click();
  return page.getByRole('dialog', { name: 'Share' });
}

async function share(page: Page, menu: string, level: string): Promise<void> {
  const dialog = await openDialog(page, menu);
  await dialog.getByLabel('Person').selectOption('petra');
  await dialog.getByLabel('Access', { exact: true }).selectOption(level);
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Share', exact: true }).click();
  await dialog.getByRole('button', { name: 'Stop sharing with petra' }).waitFor();
  await page.keyboard.press('Escape');
}

describe('a shared session', { timeout: patienceMs }, () => {
  it('is read live, then shared to take part, then gone [team.share.page] [team.share.author] [team.rights.live]', async () => {
    const owner = await parley.visit();
    const menu = 'More options for What is on my shopping list?';
    await say(owner, 'What is on my shopping list?');
    await owner.waitForURL(/\/chat\//);
    await answered(owner);
    await share(owner, menu, 'can read');
    await owner.getByText('Shared with petra').waitFor();

    // Another tab of the owner follows every change without a reload.
    const secondTab = await parley.visit({ path: new URL(owner.url()).pathname });
    await secondTab.getByText('Shared with petra').waitFor();

    const other = await parley.visit({ person: 'petra', viewport: phone });
    await other.getByRole('button', { name: 'Show conversations' }).click();
    await other.getByRole('dialog').getByText('from sebastian').click();
    await other.getByText('sebastian gave you read-only access to this.').waitFor();
    await other.getByText('Shared by sebastian').waitFor();
    await expect.poll(() => composer(other).count()).toBe(0);
    await expectAccessible(other);
    await say(owner, 'List my notes');
    await conversation(other).getByText('List my notes').waitFor();
    await answered(owner);

    const dialog = await openDialog(owner, menu);
    const isSaved = owner.waitForResponse((response) => response.url().endsWith('/shares'));
    await dialog.getByLabel('Access for petra').selectOption('can take part');
    await isSaved;
    await owner.keyboard.press('Escape');
    // The page that is open learns that it may take part now.
    await say(other, 'Summarize my notes');
    await conversation(owner).getByText('Summarize my notes').waitFor();
    await conversation(owner).getByRole('heading', { name: 'petra' }).waitFor();
    await answered(other);
    await conversation(other).getByRole('heading', { name: 'sebastian' }).first().waitFor();
    await expect.poll(() => conversation(other).getByRole('heading', { name: 'petra' }).count()).toBe(0);

    await openDialog(owner, menu);
    await dialog.getByRole('button', { name: 'Stop sharing with petra' }).click();
    await other.getByText('Conversation not found').waitFor();
    await secondTab.getByText('Shared with petra').waitFor({ state: 'detached' });
  });

  it('of Claude Code is marked in the list, hides decisions from readers, and can be exported [team.share.export]', async () => {
    const owner = await parley.visit();
    const id = await beginSession(owner, parley, 'Run touch hello.txt');
    await owner.getByRole('button', { name: 'Allow once' }).waitFor();
    await share(owner, 'Session menu', 'can read');
    const other = await parley.visit({ person: 'petra', path: '/code' });
    await other.getByText('from sebastian').click();
    await other.waitForURL(new RegExp(id));
    await other.getByText('sebastian gave you read-only access to this.').waitFor();
    await expect.poll(() => other.getByRole('button', { name: 'Allow once' }).count()).toBe(0);
    await other.getByRole('button', { name: 'Session menu' }).click();
    await expect
      .poll(() => other.getByRole('menuitem').allTextContents())
      .toEqual(['Export …', 'Mute notifications']);
    await other.getByRole('menuitem', { name: 'Export …' }).click();
    await other.getByRole('dialog', { name: 'Export' }).getByRole('radio', { name: 'Web page' }).check();
    const [download] = await Promise.all([
      other.waitForEvent('download'),
      other.getByRole('link', { name: 'Download' }).click(),
    ]);
    expect(readFileSync(await download.path(), 'utf8')).toContain('<h2>sebastian');
    await owner.getByRole('button', { name: 'Deny' }).click();
  });

  it('is shown by a link to people without a login, until that is revoked [app.links.page]', async () => {
    const owner = await parley.visit({ viewport: phone });
    await say(owner, 'Summarize my notes');
    await owner.waitForURL(/\/chat\//);
    await answered(owner);
    await owner.getByRole('button', { name: 'Show conversations' }).click();
    const dialog = await openDialog(owner, 'More options for Summarize my notes');
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByRole('radio', { name: 'Selected messages' }).check();
    await dialog.getByRole('checkbox', { name: 'Summarize my notes' }).check();
    await expectAccessible(owner);
    await dialog.getByRole('button', { name: 'Create link' }).click();
    const address = await dialog.locator('pre').innerText();

    const context = await parley.browser.newContext({ viewport: phone, colorScheme: 'dark' });
    const stranger = await context.newPage();
    const requests: string[] = [];
    stranger.on('request', (request) => requests.push(request.url()));
    await stranger.goto(address);
    await stranger.getByRole('heading', { name: /^sebastian/ }).waitFor();
    expect(requests.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([address]);
    // axe runs as a script, which the page does not allow.
    await stranger.setContent(await stranger.content());
    await expectAccessible(stranger);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByRole('list', { name: 'Links' }).waitFor({ state: 'hidden' });
    await stranger.goto(address);
    await stranger.getByRole('heading', { name: 'This link does not work' }).waitFor();
    await context.close();
  });
});
