// Exporting a conversation from its menu, in a chat and in a Claude Code session, at the size of a desktop and a phone.
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, say } from './chat-page.ts';
import { fillInSession, hear } from './code-pages.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

async function save(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download' }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

describe.each([
  ['desktop', {}],
  ['phone', { viewport: phone, hasTouch: true, isMobile: true }],
])('on a %s', { timeout: patienceMs }, (name, size) => {
  it('a Claude Code session is saved with its tools, whole and in part [app.export.formats]', async () => {
    const page = await parley.visit({ path: '/code/new', ...size });
    await fillInSession(page, 'Read README.md');
    await hear(page, /README\.md says/);
    await answered(page);
    await say(page, 'Hello');
    await hear(page, /scripted demo model/);
    await answered(page);
    await page.getByRole('button', { name: 'Session menu' }).click();
    await page.getByRole('menuitem', { name: 'Export …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export' });
    await dialog.waitFor();
    await expectAccessible(page);
    const markdown = await save(page);
    expect(markdown).toContain('**Tool: Read**');
    expect(markdown.indexOf('Read README.md')).toBeLessThan(markdown.indexOf('scripted demo model'));

    await dialog.getByRole('radio', { name: 'JSON' }).check();
    await dialog.getByRole('radio', { name: 'Selected messages' }).check();
    await dialog.getByRole('checkbox', { name: 'Hello' }).check();
    const { items } = JSON.parse(await save(page)) as { items: { kind: string; text?: string }[] };
    expect(items.filter(({ kind }) => kind === 'prompt').map(({ text }) => text)).toEqual(['Hello']);

    await dialog.getByRole('radio', { name: 'Web page' }).check();
    await dialog.getByRole('radio', { name: 'The whole conversation' }).check();
    const html = await save(page);
    const requests: string[] = [];
    const offline = await page.context().newPage();
    offline.on('request', (request) => requests.push(request.url()));
    await offline.setContent(html);
    await offline.getByRole('heading', { name: /^You/ }).first().waitFor();
    await expectAccessible(offline);
    expect(requests).toEqual([]);
    expect(name).toBeDefined();
  });
});

describe('a chat', { timeout: patienceMs }, () => {
  it('is exported from its menu in the list, and shown as a page to print [app.export.formats]', async () => {
    const page = await parley.visit();
    await say(page, 'Show me some Markdown');
    await hear(page, 'A heading');
    await answered(page);
    await page.getByRole('button', { name: 'More options for Show me some Markdown' }).click({ force: true });
    await page.getByRole('menuitem', { name: 'Export …' }).click();
    // Headless browsers don't print.
    await page.context().addInitScript(() => {
      window.print = () => document.body?.setAttribute('data-printed', 'true');
    });
    const [shown] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('button', { name: 'Print' }).click(),
    ]);
    await shown.getByRole('heading', { name: 'A heading' }).waitFor();
    await shown.locator('body[data-printed]').waitFor();
    expect(await shown.getByRole('cell', { name: 'Soup' }).count()).toBe(1);
    await shown.emulateMedia({ media: 'print' });
    await expectAccessible(shown);
  });
});
