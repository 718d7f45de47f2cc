// What a session changed, in a real browser with the real program: lists, diffs, committing, discarding.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginSession, hear, say } from './code-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let page: Page;
let complaints: readonly string[];
let session: string;
let folder: string;

function git(...args: readonly string[]): string {
  // Reading must not lock the index, which the page may be about to change.
  const options = ['--no-optional-locks', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  return execFileSync('git', [...options, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
}

const put = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const numbers = (change: (line: number) => string) =>
  Array.from({ length: 5_000 }, (_, at) => `const line${at} = ${change(at)};`).join('\n');

beforeAll(async () => {
  folder = join(parley.home, 'demo/projects/reading-list');
  page = await visit(parley.browser, parley, { path: '/code' });
  complaints = complaintsOf(page);
  session = await beginSession(page, parley);
  git('init', '--quiet', '--initial-branch=main');
  mkdirSync(join(folder, 'deep'));
  put('long.ts', numbers(String));
  git('add', '-A');
  git('commit', '--quiet', '-m', 'first');
  await say(page, 'Hello');
  await hear(page, /scripted demo model/);
  put('README.md', `# Changed\n\n${readFileSync(join(folder, 'README.md'), 'utf8')}`);
  put('deep/bidi\u202Etxt.exe', 'careful\n');
  put('data.bin', Buffer.from([0, 1, 2]));
  put(
    'long.ts',
    numbers((at) => `${at} + 1`),
  );
}, patienceMs);

const panel = () => page.getByRole('complementary', { name: 'Changes', exact: true });
const files = () => panel().getByRole('list', { name: 'Changed files' });
const box = (path: string) => files().getByRole('checkbox', { name: `Commit ${path}`, exact: true });
const row = (name: string) => files().getByRole('button', { name: new RegExp(`^${name} ?,`) });
const open = () => page.goto(`${parley.url}/code/${session}?panel=changes`);

describe('changes next to a session', { timeout: patienceMs }, () => {
  it('lists what changed since the last turn, the session and the last commit [app.changes.page.list]', async () => {
    await page.getByRole('button', { name: 'Files', exact: true }).click();
    await page.getByRole('treeitem', { name: 'README.md, changed', exact: true }).waitFor();
    await page.getByRole('treeitem', { name: 'deep, with changes', exact: true }).waitFor();
    await page.getByRole('tab', { name: 'Changes' }).click();
    await row('README.md').waitFor();
    await row('long.ts').getByText('+5000').waitFor();
    await files().getByText('bidi\\u{202e}txt.exe').waitFor();
    await expectAccessible(page);
    await panel().getByText('Last turn', { exact: true }).click();
    await row('data.bin').waitFor();
    await expect.poll(() => files().getByRole('checkbox').count()).toBe(0);
    await say(page, 'Run echo more > made-by-claude.txt');
    await page.getByRole('button', { name: /Allow once/ }).click();
    await row('made-by-claude.txt').waitFor();
    await expect.poll(() => row('data.bin').count()).toBe(0);
    await panel().getByText('Session', { exact: true }).click();
    await row('data.bin').waitFor();
  });

  it('shows the lines of a file in one column or two, and draws only those in view [app.changes.page.diff]', async () => {
    await open();
    await row('long.ts').click();
    const lines = panel().getByRole('group', { name: 'Changed lines' });
    await lines.getByText('Removed: const line0 = 0;').waitFor();
    expect(await lines.locator('code').count()).toBeLessThan(200);
    await lines.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await lines.getByText('Added: const line4999 = 4999 + 1;').waitFor();
    // Colored.
    await expect.poll(() => lines.locator('code span[style]').count()).toBeGreaterThan(0);
    await panel().getByRole('button', { name: 'Side by side' }).click();
    await lines.evaluate((element) => element.scrollTo(0, 0));
    await lines.getByText('Removed: const line0 = 0;').waitFor();
    await lines.getByText('Added: const line0 = 0 + 1;').waitFor();
    await expectAccessible(page);
    await open();
    await row('data.bin').click();
    await panel().getByText('This file is not text').waitFor();
    await panel().getByRole('button', { name: 'All changes' }).click();
    await row('README.md').waitFor();
  });

  it('commits what is ticked, with a suggested message [app.changes.page.commit]', async () => {
    await open();
    await box('README.md').check();
    await box('data.bin').check();
    await box('data.bin').uncheck();
    await expect.poll(() => git('diff', '--cached', '--name-only').trim()).toBe('README.md');
    await panel().getByRole('button', { name: 'Refresh changes' }).click();
    expect([await box('README.md').isChecked(), await box('data.bin').isChecked()]).toEqual([true, false]);
    const message = panel().getByRole('textbox', { name: 'Commit message' });
    await expect.poll(() => message.inputValue()).toBe('Run echo more > made-by-claude.txt');
    await message.fill('Change the title');
    await panel().getByRole('button', { name: 'Commit 1 file', exact: true }).click();
    await expect.poll(() => git('log', '-1', '--format=%s %an').trim()).toBe('Change the title sebastian');
    await expect.poll(() => row('README.md').count()).toBe(0);
  });

  it('discards after asking [app.changes.page.discard]', async () => {
    await open();
    await panel().getByRole('button', { name: 'Discard long.ts', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Discard the changes?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await row('long.ts').waitFor();
    await panel().getByRole('button', { name: 'Discard long.ts', exact: true }).click();
    await dialog.getByRole('button', { name: 'Discard', exact: true }).click();
    await expect.poll(() => git('status', '--porcelain', 'long.ts')).toBe('');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => row('long.ts').count()).toBe(0);
  });

  it('rewinds what the tools wrote, after asking [app.changes.rewind]', async () => {
    await page.goto(`${parley.url}/code/${session}`);
    await say(page, 'Create a file rewound.txt with Good morning');
    await page.getByRole('button', { name: /Allow once/ }).click();
    await expect.poll(() => existsSync(join(folder, 'rewound.txt'))).toBe(true);
    await hear(page, /I wrote rewound\.txt/);
    const prompt = page.getByRole('article').filter({ hasText: 'Create a file rewound.txt' }).first();
    await prompt.getByRole('button', { name: 'Message menu' }).click();
    await page.getByRole('menuitem', { name: 'Rewind files to here …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Rewind files?' });
    await dialog.getByText(/1 file will be restored .* rewound\.txt/).waitFor();
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Rewind', exact: true }).click();
    await expect.poll(() => existsSync(join(folder, 'rewound.txt'))).toBe(false);

    await prompt.getByRole('button', { name: 'Message menu' }).click();
    await page.getByRole('menuitem', { name: 'Rewind files to here …' }).click();
    await dialog.getByText('There is nothing to rewind.').waitFor();
    await expect
      .poll(() => dialog.getByRole('button', { name: 'Rewind', exact: true }).isDisabled())
      .toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('works on a phone in German, and by keyboard [app.changes.page.phone]', async () => {
    const small = await parley.visit({
      viewport: phone,
      locale: 'de-DE',
      colorScheme: 'dark',
      path: `/code/${session}?panel=files`,
    });
    await small.getByRole('tab', { name: 'Dateien' }).focus();
    await small.keyboard.press('ArrowRight');
    await small.getByRole('button', { name: /^data\.bin ?, neu/ }).waitFor();
    await expectAccessible(small);
    const tick = small.getByRole('checkbox', { name: 'data.bin committen', exact: true });
    await tick.focus();
    await small.keyboard.press('Space');
    await expect.poll(() => git('diff', '--cached', '--name-only').trim()).toBe('data.bin');
    await expect.poll(() => tick.isChecked()).toBe(true);
  });

  it('causes no errors on the page', () => {
    expect(complaints).toEqual([]);
  });
});
