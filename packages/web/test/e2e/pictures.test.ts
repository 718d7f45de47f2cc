// Pictures by drag and drop and by paste, in a chat and in a Claude Code session: shown, removed, sent.
import type { JSHandle, Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { composer, conversation } from './chat-page.ts';
import { beginSession } from './code-pages.ts';
import { expectAccessible, patienceMs, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;

const parley = runningParley();

const places: readonly Place[] = [
  {
    name: 'a conversation',
    async open(page) {
      await page.goto(parley.url);
      await composer(page).waitFor();
    },
    field: composer,
    said: (page) => conversation(page).locator('img'),
  },
  {
    name: 'a session of Claude Code',
    open: (page) => beginSession(page, parley),
    field: composer,
    said: (page) => conversation(page).locator('img'),
  },
];

describe.each(places)('a picture in $name', { timeout }, ({ open, field, said }) => {
  it('can be dropped, is shown before it is sent, and can be removed', async () => {
    const page = await visit(parley.browser, parley);
    await open(page);
    const files = await picture(page, 'tree.png');
    await field(page).dispatchEvent('dragover', { dataTransfer: files });
    await page.getByText('Drop files to attach them').waitFor();
    await field(page).dispatchEvent('drop', { dataTransfer: files });
    await expect.poll(() => page.getByText('Drop files to attach them').count()).toBe(0);
    await expect.poll(() => widths(previews(page))).toEqual([32]);
    await expectAccessible(page);

    await page.getByRole('button', { name: 'Remove tree.png' }).click();
    await expect.poll(() => previews(page).count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Send', exact: true }).isDisabled()).toBe(true);

    await field(page).dispatchEvent('drop', { dataTransfer: await picture(page, 'house.png') });
    await page.getByRole('img', { name: 'house.png' }).waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect.poll(() => widths(said(page))).toEqual([32]);
    await expect.poll(() => previews(page).count()).toBe(0);
    await page.context().close();
  });

  it('can be pasted, is shown before it is sent, and can be removed', async () => {
    const page = await visit(parley.browser, parley);
    await open(page);
    await paste(field(page), await picture(page, 'one.png'));
    await paste(field(page), await picture(page, 'two.png'));
    await expect.poll(() => widths(previews(page))).toEqual([32, 32]);
    await page.getByRole('button', { name: 'Remove one.png' }).click();
    await expect.poll(() => previews(page).count()).toBe(1);
    await field(page).fill('What is this?');
    await field(page).press('Enter');
    await expect.poll(() => widths(said(page))).toEqual([32]);
    await page.context().close();
  });

  it('keeps its place among others, of which at most five are sent', async () => {
    const page = await visit(parley.browser, parley);
    await open(page);
    const files = await page.evaluateHandle(async () => {
      const data = new DataTransfer();
      // The first one takes the longest to read.
      for (const width of [3_000, 32, 33, 34, 35, 36]) {
        const canvas = new OffscreenCanvas(width, width);
        canvas.getContext('2d')?.fillRect(0, 0, width, width);
        data.items.add(new File([await canvas.convertToBlob()], `${width}.png`, { type: 'image/png' }));
      }
      return data;
    });
    await field(page).dispatchEvent('drop', { dataTransfer: files });
    await page.getByRole('alert').getByText('You can attach up to 5 pictures').waitFor();
    await expect.poll(() => widths(previews(page))).toEqual([3_000, 32, 33, 34, 35]);
    await page.context().close();
  });
});

interface Place {
  readonly name: string;
  readonly open: (page: Page) => Promise<unknown>;
  readonly field: (page: Page) => Locator;
  readonly said: (page: Page) => Locator;
}

function previews(page: Page): Locator {
  return page.getByRole('list', { name: 'Attachments' }).getByRole('img');
}

/** Only of those that have loaded. */
function widths(pictures: Locator): Promise<number[]> {
  return pictures.evaluateAll((all) =>
    all.flatMap((one) => (one instanceof HTMLImageElement && one.complete ? [one.naturalWidth] : [])),
  );
}

/** A file as from a file manager, 32 pixels wide. */
function picture(page: Page, name: string): Promise<JSHandle<DataTransfer>> {
  return page.evaluateHandle(async (fileName) => {
    const canvas = new OffscreenCanvas(32, 24);
    const pen = canvas.getContext('2d');
    if (pen) pen.fillStyle = 'teal';
    pen?.fillRect(0, 0, 32, 24);
    const data = new DataTransfer();
    data.items.add(new File([await canvas.convertToBlob()], fileName, { type: 'image/png' }));
    return data;
  }, name);
}

async function paste(target: Locator, files: JSHandle<DataTransfer>): Promise<void> {
  await target.evaluate((element, clipboardData) => {
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, files);
}
