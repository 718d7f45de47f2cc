// The settings of a session on all its pages: model, permission mode, todo list; and the terminal, which not everybody
// may use.
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginSession, fillInSession, hear, say } from './code-pages.ts';
import { expectAccessible, patienceMs, phone, secondTab, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let page: Page;
beforeAll(async () => {
  page = await visit(parley.browser, parley, { path: '/code/new' });
}, patienceMs);

describe('the model of a session', { timeout: patienceMs }, () => {
  it('is chosen from those that the program offers, and changes on all pages [code.ws.set-model] [code.ws.all-clients]', async () => {
    await fillInSession(page, 'Hello');
    await hear(page, /scripted demo model/);
    const tab = await secondTab(page, page.url());
    await hear(tab, /scripted demo model/);

    await page.getByRole('button', { name: /^Model:/ }).click();
    const offered = page.getByRole('menuitem');
    await page.getByRole('menuitem', { name: /^Default \(recommended\)/ }).waitFor();
    const count = await offered.count();
    expect(count).toBeGreaterThan(3);
    await page.getByRole('menuitem', { name: /^Haiku/ }).click();
    await page.getByRole('button', { name: 'Model: Haiku' }).waitFor();
    await tab.getByRole('button', { name: 'Model: Haiku' }).waitFor();

    await tab.getByRole('button', { name: /^Permission mode:/ }).click();
    await tab.getByRole('menuitem', { name: /^Accept edits/ }).click();
    await page.getByRole('button', { name: 'Permission mode: Accept edits' }).waitFor();
    await tab.close();

    await say(page, 'Run date');
    await hear(page, /date.*printed:/);
    await page.getByRole('button', { name: /^Model: Haiku \d/ }).waitFor();

    await page.getByRole('button', { name: 'New session' }).click();
    const choices = page.getByRole('dialog', { name: 'New session' }).getByRole('combobox').first();
    await expect.poll(() => choices.getByRole('option').allTextContents()).toContain('Default');
    await expect.poll(() => choices.getByRole('option').count()).toBe(count);
  });
});

describe('a session that waits for a decision', { timeout: patienceMs }, () => {
  it('is visible on every page, in the navigation, the title and a sentence that leads to it', async () => {
    await beginSession(page, parley, 'Hello');
    await hear(page, /scripted demo model/);
    const tab = await secondTab(page, `${parley.url}/overview`);
    const quiet = tab.getByRole('link', { name: 'Claude Code', exact: true });
    await quiet.waitFor();
    await say(page, 'Run touch elsewhere.txt');
    const open = tab.getByRole('status').filter({ hasText: 'Bash needs your permission: Hello' });
    await open.getByRole('button', { name: 'Open' }).waitFor();
    await tab.getByRole('link', { name: 'Claude Code: 1 needs you' }).waitFor();
    await expect.poll(() => tab.title()).toBe('Needs you · Overview · Parley');
    await expectAccessible(tab);
    await open.getByRole('button', { name: 'Open' }).click();
    await tab.getByRole('button', { name: /Allow once/ }).waitFor();
    await tab.goto(`${parley.url}/`);
    await tab.getByRole('link', { name: 'Claude Code: 1 needs you' }).waitFor();
    // It says nothing new to somebody who looks at the session.
    expect(await page.getByRole('status').filter({ hasText: 'needs your permission' }).count()).toBe(0);
    await page.getByRole('button', { name: /Allow once/ }).click();
    await hear(page, /printed:|no output/);
    await quiet.waitFor();
    await expect.poll(() => tab.title()).not.toContain('Needs you');
    await tab.close();
  });

  it('shows when each message was said', async () => {
    const times = page.getByRole('log').locator('time');
    await expect.poll(() => times.count()).toBeGreaterThanOrEqual(3);
    for (const time of await times.all()) {
      expect(await time.evaluate((one) => one.checkVisibility({ opacityProperty: true }))).toBe(true);
      expect(await time.textContent()).toMatch(/\d:\d\d/);
      expect(await time.getAttribute('title')).toMatch(/\d{4}.*\d:\d\d:\d\d/);
    }
  });
});

describe('lists to choose from', { timeout: patienceMs }, () => {
  it('look like the controls next to them', async () => {
    const look = (control: Locator) =>
      control.evaluate((element) => {
        const { appearance, borderRadius, height, fontSize } = getComputedStyle(element);
        return { appearance, borderRadius, height, fontSize };
      });
    const { appearance, ...project } = await look(page.getByLabel('Project'));
    expect(appearance).toBe('none');
    expect(await look(page.getByRole('button', { name: 'Archived' }))).toMatchObject(project);
    await page.goto(`${parley.url}/code/new`);
    for (const name of ['Model', 'Permissions', 'Open in'])
      expect(await look(page.getByLabel(name))).toMatchObject({ appearance: 'none' });
  });
});

describe('the mode in which Claude never asks', { timeout: patienceMs }, () => {
  it('has to be confirmed, and stands out while it is on', async () => {
    await beginSession(page, parley, 'Hello');
    await hear(page, /scripted demo model/);
    const menu = page.getByRole('button', { name: /^Permission mode:/ });
    const choose = async () => {
      await menu.click();
      await page.getByRole('menuitem', { name: /^Never ask/ }).click();
      return page.getByRole('dialog', { name: 'Never ask?' });
    };
    const color = () => menu.evaluate((element) => getComputedStyle(element).color);
    const usual = await color();
    const refused = await choose();
    await expectAccessible(page);
    await refused.getByRole('button', { name: 'Cancel' }).click();
    await refused.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Permission mode: Ask first' }).waitFor();
    await (await choose()).getByRole('button', { name: 'Never ask' }).click();
    await page.getByRole('button', { name: 'Permission mode: Never ask' }).waitFor();
    await expect.poll(() => color()).not.toBe(usual);
    await expectAccessible(page);

    await page.goto(`${parley.url}/code/new`);
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByRole('button', { name: 'Recent folder reading-list', pressed: true }).waitFor();
    await dialog.getByLabel('Permissions').selectOption('Never ask');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('dialog', { name: 'Never ask?' }).getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('button', { name: 'Start' }).waitFor();
    expect(page.url()).toMatch(/\/code\/new$/);
  });
});

describe('the todo list of a session', { timeout: patienceMs }, () => {
  it('is written by the program and shown on all pages, open and collapsed [code.ws.todo-update]', async () => {
    await beginSession(page, parley);
    const tab = await secondTab(page, page.url());
    await say(page, 'Make a todo list');
    const list = page.getByRole('region', { name: 'To-do list' });
    await list.getByText('1 of 3 done').waitFor();
    await tab.getByRole('region', { name: 'To-do list' }).getByText('1 of 3 done').waitFor();
    expect(await list.getByRole('listitem').allTextContents()).toEqual([
      'Done: Gather the ingredients',
      'To do: Mix the dough',
      'To do: Bake the bread',
    ]);
    await hear(page, 'The list has three things to do, and the first is done.');
    await expectAccessible(page);
    await page.setViewportSize(phone);
    await expectAccessible(page);
    await list.getByRole('button', { name: /1 of 3 done/ }).click();
    await expect.poll(() => list.getByRole('listitem').count()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 900 });

    await page.reload();
    await list.getByText('1 of 3 done').waitFor();
    await tab.close();
  });
});

describe('the terminal', { timeout: patienceMs }, () => {
  it('is offered to people who may use it', async () => {
    await page.getByRole('button', { name: 'Open in the terminal' }).waitFor();
    await page.goto(`${parley.url}/code/new`);
    await page.getByLabel('Open in').waitFor();
  });

  it('is not shown anywhere to people who may not', async () => {
    const guest = await parley.visit({ person: 'petra', path: '/code/new' });
    await guest.getByLabel('Permissions').waitFor();
    expect(await guest.getByLabel('Open in').count()).toBe(0);
    const id = await fillInSession(guest, 'Hello');
    await hear(guest, /scripted demo model/);
    await guest.getByRole('button', { name: 'Session menu' }).waitFor();
    expect(await guest.getByRole('button', { name: 'Open in the terminal' }).count()).toBe(0);
    await guest.keyboard.press('Control+k');
    await guest.getByRole('combobox', { name: 'Search everything' }).fill('open in the terminal');
    await guest.getByText('Nothing found').or(guest.getByRole('option')).first().waitFor();
    expect(await guest.getByRole('option', { name: 'Open in the terminal' }).count()).toBe(0);
    await guest.goto(`${parley.url}/code/${id}/terminal`);
    await guest.waitForURL(`**/code/${id}`);
    await hear(guest, /scripted demo model/);
  });
});
