// The settings of a session on all its pages: model, permission mode, todo list; and the terminal, which not everybody
// may use.
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginSession, hear, say } from './code-pages.ts';
import { expectAccessible, patienceMs, phone, secondTab, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

// With this model the program has tools for a todo list.
const parley = runningParley({ config: { claude: { model: 'claude-sonnet-4-5' } } });
let page: Page;
beforeAll(async () => {
  page = await visit(parley.browser, parley, { path: '/code' });
}, patienceMs);

describe('the model of a session', { timeout: patienceMs }, () => {
  it('is chosen from those that the program offers, and changes on all pages [code.ws.set-model] [code.ws.all-clients]', async () => {
    await beginSession(page, parley, 'Hello');
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
    expect(await choices.getByRole('option').count()).toBe(count);
  });
});

describe('the todo list of a session', { timeout: patienceMs }, () => {
  it('is written by the program and shown on all pages, open and collapsed [code.ws.todo-update]', async () => {
    await beginSession(page, parley);
    const tab = await secondTab(page, page.url());
    await say(page, 'Make a todo list');
    const list = page.getByRole('region', { name: 'Todo list' });
    await list.getByText('1 of 3 done').waitFor();
    await tab.getByRole('region', { name: 'Todo list' }).getByText('1 of 3 done').waitFor();
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
    const guest = await parley.visit({ person: 'petra', path: '/code' });
    await guest.goto(`${parley.url}/code/new`);
    await guest.getByLabel('Permissions').waitFor();
    expect(await guest.getByLabel('Open in').count()).toBe(0);
    const id = await beginSession(guest, parley, 'Hello');
    await hear(guest, /scripted demo model/);
    await guest.getByRole('button', { name: 'Session menu' }).waitFor();
    expect(await guest.getByRole('button', { name: 'Open in the terminal' }).count()).toBe(0);
    await guest.keyboard.press('Control+k');
    await guest.getByLabel('Search commands').fill('terminal');
    expect(await guest.getByRole('option', { name: /terminal/ }).count()).toBe(0);
    await guest.goto(`${parley.url}/code/${id}/terminal`);
    await guest.waitForURL(`**/code/${id}`);
    await hear(guest, /scripted demo model/);
  });
});
