// Files next to a session and to chats, in a real browser: the tree, viewing, searching, editing, uploading, mentions.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { composer } from './chat-page.ts';
import { beginSession, hear, say } from './code-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
const hostile = 'bidi\u202Etxt.exe';
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
let page: Page;
let complaints: readonly string[];
let session: string;
let folder: string;
beforeAll(async () => {
  page = await visit(parley.browser, parley, { path: '/code' });
  complaints = complaintsOf(page);
  session = await beginSession(page, parley, 'Hello');
  await hear(page, /scripted demo model/);
  folder = join(parley.home, 'demo/projects/reading-list');
  const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
  mkdirSync(join(folder, 'deep/er'), { recursive: true });
  mkdirSync(join(folder, 'many'));
  put('deep/er/found.ts', `${'// a line\n'.repeat(400)}export const needle = 'haystack';\n`);
  put('pixel.png', Buffer.from(pixel, 'base64'));
  put('data.bin', Buffer.from([0, 1, 2, 255]));
  put(hostile, 'careful');
  put('line\nbreak.txt', 'two lines');
  for (let at = 0; at < 3_000; at += 1) put(`many/file-${String(at).padStart(4, '0')}.txt`, '');
}, patienceMs);

const panel = () => page.getByRole('complementary', { name: 'Files' });
const tree = () => panel().getByRole('tree', { name: 'Files' });
const item = (name: string) => tree().getByRole('treeitem', { name, exact: true });

async function openTree(): Promise<void> {
  await page.goto(`${parley.url}/code/${session}?panel=files`);
  await item('README.md').waitFor();
}

describe('files next to a session', { timeout: patienceMs }, () => {
  it('shows a tree that works with mouse and keyboard [app.files.page.tree]', async () => {
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await item('deep').click();
    await item('er').click();
    await item('found.ts').waitFor();
    await item('deep').click();
    await expect.poll(() => item('er').count()).toBe(0);
    await tree().focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowRight');
    await item('er').waitFor();
    await page.keyboard.press('ArrowRight');
    // Closes the folder inside, goes to the one around it, and closes that.
    for (let times = 0; times < 3; times += 1) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => item('er').count()).toBe(0);
    await expectAccessible(page);
  });

  it('draws only what is in view of a folder with thousands of files [app.files.page.tree]', async () => {
    await openTree();
    await item('many').click();
    await item('file-0000.txt').waitFor();
    expect(await tree().getByRole('treeitem').count()).toBeLessThan(200);
    await tree().focus();
    await page.keyboard.press('End');
    await item('pixel.png').waitFor();
    await tree().evaluate((element) => element.scrollBy(0, -2_000));
    await tree()
      .getByRole('treeitem', { name: /^file-29\d\d/ })
      .first()
      .waitFor();
  });

  it('shows misleading names as they really are [app.files.page.hostile]', async () => {
    await openTree();
    await item('bidi\\u{202e}txt.exe').click();
    await panel().getByText('careful').waitFor();
    await panel().getByRole('button', { name: 'All files' }).click();
    await item('line⏎break.txt').waitFor();
  });

  it('shows Markdown rendered and as source, and pictures [app.files.page.view]', async () => {
    await openTree();
    await item('README.md').click();
    const file = panel().getByRole('region', { name: 'README.md' });
    await file.getByRole('heading', { level: 3 }).first().waitFor();
    await file.getByRole('button', { name: 'Show source' }).click();
    await file.getByText(/^# /).first().waitFor();
    await expectAccessible(page);
    await file.getByRole('button', { name: 'All files' }).click();
    await item('pixel.png').click();
    const picture = panel().getByRole('img', { name: 'pixel.png' });
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await panel().getByRole('button', { name: 'All files' }).click();
    await item('data.bin').click();
    await panel().getByText('This file is not text').waitFor();
  });

  it('finds files by name, and lines by content at their place [app.files.page.search]', async () => {
    await openTree();
    await panel().getByRole('searchbox', { name: 'Search files' }).fill('found');
    await panel()
      .getByRole('button', { name: /found\.ts/ })
      .waitFor();
    await panel().getByRole('searchbox', { name: 'Search files' }).fill('needle');
    await panel().getByText('Content', { exact: true }).click();
    await panel()
      .getByRole('button', { name: /found\.ts:401/ })
      .click();
    await panel().locator('[aria-current=location]').getByText('needle').waitFor();
  });

  it('saves what was edited, and asks if somebody else saved it [app.files.page.edit]', async () => {
    await openTree();
    await item('package.json').click();
    await panel().getByRole('button', { name: 'Edit' }).click();
    const field = panel().getByRole('textbox', { name: 'File content' });
    await field.fill('{ "name": "edited" }\n');
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readFileSync(join(folder, 'package.json'), 'utf8'))
      .toBe('{ "name": "edited" }\n');
    await panel().getByText('"edited"').waitFor();

    await panel().getByRole('button', { name: 'Edit' }).click();
    await field.fill('mine');
    writeFileSync(join(folder, 'package.json'), 'theirs');
    await panel().getByRole('button', { name: 'Save', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'The file has changed' });
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Use the other version' }).click();
    await expect.poll(() => field.inputValue()).toBe('theirs');
    await field.fill('mine again');
    writeFileSync(join(folder, 'package.json'), 'theirs again');
    await panel().getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('button', { name: 'Save mine' }).click();
    await expect.poll(() => readFileSync(join(folder, 'package.json'), 'utf8')).toBe('mine again');
  });

  it('does not save a file that was not changed [app.files.page.edit]', async () => {
    await openTree();
    await item('README.md').click();
    await panel().getByRole('button', { name: 'Edit' }).click();
    const field = panel().getByRole('textbox', { name: 'File content' });
    const before = await field.inputValue();
    const saves: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PUT') saves.push(request.url());
    });
    await field.press('Control+s');
    await field.fill(`${before}One more line\n`);
    await field.press('Control+s');
    await expect.poll(() => field.count()).toBe(0);
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(`${before}One more line\n`);
    expect(saves).toHaveLength(1);
    page.removeAllListeners('request');
  });

  it('lists what a turn has written when the turn ends [app.files.page.tree]', async () => {
    await openTree();
    await say(page, 'Run touch written-by-claude.txt');
    await page.getByRole('button', { name: /Allow once/ }).click();
    await item('written-by-claude.txt').waitFor();
  });

  it('says that a list is incomplete only as long as it is', async () => {
    await page.route(
      /\/files\?/,
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, json: { ...(await response.json()), truncated: true } });
      },
      { times: 1 },
    );
    await openTree();
    await panel().getByText('Not all files are listed.').waitFor();
    await panel().getByRole('button', { name: 'Refresh files' }).click();
    await expect.poll(() => panel().getByText('Not all files are listed.').count()).toBe(0);
  });

  it('asks before an upload replaces a file [app.files.page.upload]', async () => {
    await openTree();
    writeFileSync(join(folder, 'uploaded.txt'), 'the old content');
    const dialog = page.getByRole('dialog', { name: 'Replace the file?' });
    const upload = () =>
      panel()
        .getByLabel('Upload files')
        .setInputFiles({
          name: 'uploaded.txt',
          mimeType: 'text/plain',
          buffer: Buffer.from('the new content'),
        });
    await upload();
    await dialog.getByText('uploaded.txt already exists.').waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(readFileSync(join(folder, 'uploaded.txt'), 'utf8')).toBe('the old content');
    await upload();
    await dialog.getByRole('button', { name: 'Replace' }).click();
    await expect.poll(() => readFileSync(join(folder, 'uploaded.txt'), 'utf8')).toBe('the new content');
  });

  it('uploads what is dropped on a folder, and downloads [app.files.page.upload]', async () => {
    await openTree();
    await item('deep').waitFor();
    const data = await page.evaluateHandle(() => {
      const transfer = new DataTransfer();
      transfer.items.add(new File(['dropped content'], 'dropped.txt'));
      return transfer;
    });
    await item('deep').dispatchEvent('dragover', { dataTransfer: data });
    await item('deep').dispatchEvent('drop', { dataTransfer: data });
    await expect.poll(() => readFileSync(join(folder, 'deep/dropped.txt'), 'utf8')).toBe('dropped content');
    await item('README.md').click();
    const download = page.waitForEvent('download');
    await panel().getByRole('link', { name: 'Download' }).click();
    expect((await download).suggestedFilename()).toBe('README.md');
  });

  it('completes files after an @ [app.files.page.mention]', async () => {
    await page.goto(`${parley.url}/code/${session}`);
    await composer(page).pressSequentially('Read @found');
    await page.getByRole('option', { name: /deep\/er\/found\.ts/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    await expect.poll(() => composer(page).inputValue()).toBe('Read @deep/er/found.ts ');
    await composer(page).pressSequentially('and @dee');
    await page.getByRole('option', { name: 'deep', exact: true }).waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => composer(page).inputValue()).toBe('Read @deep/er/found.ts and @deep/');
    await composer(page).fill('');
  });

  it('opens a path of an answer [app.files.page.path]', async () => {
    await page.goto(`${parley.url}/code/${session}`);
    await say(page, 'Run deep/er/found.ts:401');
    await page.getByRole('button', { name: 'deep/er/found.ts:401', exact: true }).last().click();
    await panel().getByRole('region', { name: 'found.ts' }).waitFor();
    await panel().locator('[aria-current=location]').getByText('needle').waitFor();
  });

  it('works on a phone, where Back closes it [app.files.page.phone]', async () => {
    const small = await parley.visit({ viewport: phone, path: `/code/${session}`, colorScheme: 'dark' });
    await small.getByRole('button', { name: 'Files', exact: true }).click();
    await small.getByRole('treeitem', { name: 'README.md' }).click();
    await small.getByRole('region', { name: 'README.md' }).waitFor();
    await expectAccessible(small);
    await small.getByRole('button', { name: 'Close files' }).click();
    await composer(small).waitFor();
  });

  it('causes no errors on the page', () => {
    expect(complaints).toEqual([]);
  });
});

describe('notes next to a chat', { timeout: patienceMs }, () => {
  it('shows and saves the notes of the person [app.files.page.notes]', async () => {
    const chat = await parley.visit({ path: '/?panel=files' });
    const notes = chat.getByRole('complementary', { name: 'Notes' });
    await notes.getByRole('treeitem', { name: 'reading-list.md' }).click();
    await notes.getByRole('button', { name: 'Edit' }).click();
    await notes.getByRole('textbox', { name: 'File content' }).fill('# Read everything\n');
    await notes.getByRole('button', { name: 'Save', exact: true }).click();
    await notes.getByRole('heading', { name: 'Read everything' }).waitFor();
    const saved = join(parley.home, 'demo/notes/sebastian/reading-list.md');
    expect(readFileSync(saved, 'utf8')).toBe('# Read everything\n');
    await expectAccessible(chat);
  });

  it('lists a note that the assistant has just written [app.files.page.notes]', async () => {
    const chat = await parley.visit();
    await say(chat, 'Write a note ideas.md saying Plant basil in May');
    await hear(chat, /I wrote ideas\.md/);
    await chat.getByRole('button', { name: 'Notes', exact: true }).click();
    const notes = chat.getByRole('complementary', { name: 'Notes' });
    await notes.getByRole('treeitem', { name: 'ideas.md' }).waitFor();
    await say(chat, 'Write a note later.md saying Harvest it in July');
    await notes.getByRole('treeitem', { name: 'later.md' }).waitFor();
  });
});
