// Files with a message, in a chat and in a Claude Code session: by picker, paste and drop, shown, kept with the draft, and
// sent; at the size of a desktop and of a phone.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, composer, conversation, prompts } from './chat-page.ts';
import { hear } from './code-pages.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley();

const list = { name: 'shopping list.txt', mimeType: 'text/plain', buffer: Buffer.from('milk\neggs\n') };
const report = {
  name: 'report.pdf',
  mimeType: 'application/pdf',
  buffer: Buffer.from('%PDF-1.4\n1 0 obj << /Type /Page >> endobj\n'),
};
const archive = {
  name: 'build.zip',
  mimeType: 'application/zip',
  buffer: Buffer.from([80, 75, 3, 4, 0, 255]),
};

const attachedTo = (place: Locator) => place.getByRole('list', { name: 'Attachments' });
const form = (page: Page) => page.getByRole('form', { name: 'Write a message' });
const choose = (page: Page, files: (typeof list)[]) =>
  page.getByLabel('Files to attach').setInputFiles(files);

describe.each([
  ['desktop', {}],
  ['phone', { viewport: phone, hasTouch: true, isMobile: true }],
])('files on a %s', { timeout }, (_, size) => {
  it('go to an assistant, which reads them, and can be downloaded again [app.attachments.composer] [app.attachments.documents]', async () => {
    const page = await parley.visit(size);
    await choose(page, [list, report]);
    await expect.poll(() => attachedTo(form(page)).getByRole('listitem').count()).toBe(2);
    await expect.poll(() => attachedTo(form(page)).innerText()).toContain('10 bytes');
    await form(page).getByText('of 18.8 MB').waitFor();
    await expectAccessible(page);

    await form(page)
      .getByRole('button', { name: /^shopping list\.txt/ })
      .click();
    await page.getByRole('dialog', { name: 'shopping list.txt' }).getByText('eggs').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Remove report.pdf' }).click();
    await expect.poll(() => attachedTo(form(page)).getByRole('listitem').count()).toBe(1);

    await composer(page).fill('What is on it?');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await conversation(page).getByText('2 lines, 2 words').waitFor();
    const sent = attachedTo(prompts(page).first()).getByRole('link', { name: /shopping list\.txt/ });
    const [download] = await Promise.all([page.waitForEvent('download'), sent.click()]);
    expect(download.suggestedFilename()).toBe('shopping list.txt');
    expect(readFileSync(await download.path(), 'utf8')).toBe('milk\neggs\n');
    await expectAccessible(page);

    // By its address, because a reload starts a new chat.
    const address = page.url();
    await page.goto(parley.url);
    await page.goto(address);
    await attachedTo(prompts(page).first()).getByText('shopping list.txt').waitFor();
  });

  it('stay with the draft when the page is loaded again [app.attachments.composer]', async () => {
    const page = await parley.visit(size);
    await choose(page, [list]);
    await attachedTo(form(page)).getByText('shopping list.txt').waitFor();
    await page.reload();
    await attachedTo(form(page)).getByText('shopping list.txt').waitFor();
    await page.getByRole('button', { name: 'Remove shopping list.txt' }).click();
    await page.reload();
    await composer(page).waitFor();
    await page.waitForFunction(async () => (await indexedDB.databases()).length > 0);
    expect(await attachedTo(form(page)).count()).toBe(0);
  });

  it('are refused with a sentence if an assistant cannot read them [app.attachments.limits]', async () => {
    const page = await parley.visit(size);
    await choose(page, [archive]);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('build.zip can’t be read here').waitFor();
  });

  it('go with the first message of a session to the work folder, are named in the prompt, and survive editing it [app.attachments.work-folder] [app.attachments.composer]', async () => {
    const page = await parley.visit({ path: '/code/new', ...size });
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await choose(page, [archive, list]);
    await attachedTo(dialog).getByText('build.zip').waitFor();
    await expectAccessible(page);
    await page.reload();
    await attachedTo(dialog).getByText('build.zip').waitFor();
    await dialog.getByRole('button', { name: 'reading-list', exact: true }).click();
    await dialog.getByLabel('First message').fill('Hello');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await hear(page, 'Hello!');
    await answered(page);
    const placed = join(parley.home, 'demo/projects/reading-list/.parley/attachments');
    expect(existsSync(join(placed, 'build.zip'))).toBe(true);
    expect(readFileSync(join(placed, 'shopping list.txt'), 'utf8')).toBe('milk\neggs\n');
    await page.reload();
    const first = prompts(page).first();
    await attachedTo(first).getByText('build.zip').waitFor();
    await expect.poll(() => first.innerText()).not.toContain('Attached file');

    await first.getByRole('button', { name: 'Message menu' }).click({ force: true });
    await page.getByRole('menuitem', { name: 'Edit and send again' }).click();
    await attachedTo(form(page)).getByText('build.zip').waitFor();
    await composer(page).fill('Hello again');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByText('Version 2 of 2').waitFor();
    await attachedTo(prompts(page).first()).getByText('shopping list.txt').waitFor();
  });
});

describe('files by paste and drop', { timeout }, () => {
  it('are attached next to pictures, in their order [app.attachments.composer]', async () => {
    const page = await parley.visit();
    const files = (names: readonly string[]) =>
      page.evaluateHandle((all) => {
        const data = new DataTransfer();
        for (const name of all) data.items.add(new File([`This is ${name}`], name, { type: 'text/plain' }));
        return data;
      }, names);
    await composer(page).dispatchEvent('drop', { dataTransfer: await files(['one.ts', 'two.md']) });
    await composer(page).evaluate(
      (element, clipboardData) => {
        element.dispatchEvent(
          new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
        );
      },
      await files(['three.csv']),
    );
    await expect
      .poll(() => attachedTo(form(page)).getByRole('listitem').allInnerTexts())
      .toMatchObject([/one\.ts/, /two\.md/, /three\.csv/].map((name) => expect.stringMatching(name)));
    await composer(page).fill('Look');
    await composer(page).press('Enter');
    await conversation(page).getByText('This is three.csv').waitFor();
  });
});
