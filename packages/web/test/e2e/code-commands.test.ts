// Completes commands of the real program, by keyboard and by touch.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillInSession, hear } from './code-pages.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
beforeAll(() => {
  const commands = join(parley.home, 'demo', 'projects', 'reading-list', '.claude', 'commands');
  mkdirSync(commands, { recursive: true });
  for (const name of ['count-books', 'count-pages'])
    writeFileSync(join(commands, `${name}.md`), `---\ndescription: ${name} of the list\n---\nSay hello.\n`);
});

const field = (page: Page) => page.getByRole('textbox', { name: 'Message', exact: true });
const list = (page: Page) => page.getByRole('listbox', { name: 'Commands' });
const chosen = (page: Page) => list(page).getByRole('option', { selected: true });

/** The option that screen readers announce is the one that looks selected. */
async function expectChosen(page: Page, name: string): Promise<void> {
  await expect.poll(() => chosen(page).textContent()).toContain(name);
  const id = await field(page).getAttribute('aria-activedescendant');
  expect(await chosen(page).getAttribute('id')).toBe(id);
}

async function isFocused(place: Locator): Promise<boolean> {
  return place.evaluate((element) => element === document.activeElement);
}

describe('a slash at the start of a message', { timeout: patienceMs }, () => {
  it('lists the commands of the program, and completes the selected one', async () => {
    const page = await parley.visit({ path: '/code/new' });
    await fillInSession(page, 'Hello');
    await hear(page, /tokens written/);

    await field(page).pressSequentially('/');
    // The program's own sentences, which arrive after the names, and none of what only its servers or its developers run.
    await list(page)
      .getByRole('option', { name: /^\/compact.*summariz/ })
      .waitFor();
    await expectAccessible(page);
    const offered = await list(page).getByRole('option').allInnerTexts();
    const named = (name: string) =>
      offered.find((text) => text.startsWith(`/${name}\n`) || text === `/${name}`);
    expect(offered.find((text) => text.startsWith('/compact'))).toMatch(/\n\n?.*summariz/);
    for (const name of ['__remote-workflow', 'workflow-launch-exec', 'heapdump'])
      expect(named(name)).toBeUndefined();
    for (const text of offered) expect(text.length).toBeLessThan(400);
    await field(page).pressSequentially('count');
    await expect.poll(() => list(page).getByRole('option').count()).toBe(2);
    const names = await list(page).getByRole('option').allTextContents();
    await expectChosen(page, names[0] ?? '');
    await field(page).press('ArrowDown');
    await expectChosen(page, names[1] ?? '');
    await field(page).press('ArrowUp');
    await field(page).press('ArrowDown');
    await field(page).press('Enter');
    await expect.poll(() => field(page).inputValue()).toMatch(/^\/count-(books|pages) $/);
    await expect.poll(() => list(page).count()).toBe(0);

    await field(page).fill('/count-b');
    await field(page).press('Tab');
    await expect.poll(() => field(page).inputValue()).toBe('/count-books ');
    await expect.poll(() => isFocused(field(page))).toBe(true);
    await field(page).press('Enter');
    await hear(page, '/count-books');
  });

  it('lists the commands of a folder before the program starts in a new session there', async () => {
    const page = await parley.visit({ path: '/code/new' });
    const first = await fillInSession(page, 'Hello');
    await hear(page, /tokens written/);
    await page.getByRole('button', { name: 'New session' }).click();
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByRole('button', { name: 'Recent folder reading-list', pressed: true }).waitFor();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL(
      (url) => /\/code\/[0-9a-f-]{36}$/.test(url.pathname) && !url.pathname.endsWith(first),
    );
    await page.getByText('Ready when you are').waitFor();
    await field(page).fill('/count');
    await expect.poll(() => list(page).getByRole('option').count()).toBe(2);
  });

  it('completes nothing after Escape, or if it is not a command', async () => {
    const page = await parley.visit({ path: '/code/new' });
    await fillInSession(page, 'Hello');
    await hear(page, /tokens written/);
    await field(page).fill('/cou');
    await list(page).waitFor();
    await field(page).press('Escape');
    await list(page).waitFor({ state: 'hidden' });
    await field(page).pressSequentially('n');
    await expect.poll(() => list(page).count()).toBe(0);
    await field(page).fill('/etc/hosts says what?');
    await expect.poll(() => list(page).count()).toBe(0);
    await field(page).press('Enter');
    await hear(page, '/etc/hosts says what?');
  });

  it('works by touch on a phone, and the keyboard stays open', async () => {
    const page = await parley.visit({ path: '/code/new', viewport: phone, hasTouch: true, isMobile: true });
    await fillInSession(page, 'Hello');
    await hear(page, /tokens written/);
    await field(page).tap();
    await field(page).pressSequentially('/count');
    const option = list(page).getByRole('option', { name: 'count-pages' });
    await option.waitFor();
    expect((await option.boundingBox())?.height).toBeGreaterThanOrEqual(44);
    await expectAccessible(page);
    await option.tap();
    await expect.poll(() => field(page).inputValue()).toBe('/count-pages ');
    await expect.poll(() => isFocused(field(page))).toBe(true);
    await expect.poll(() => list(page).count()).toBe(0);
  });
});
