// The chat by keyboard alone. The test plays the model.
import { createGate, reply, say as speak, wait } from '@parley/stand-ins';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, composer, conversation } from './chat-page.ts';
import { expectAccessible, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley({ scripted: true });
let page: Page;

const palette = () => page.getByRole('combobox', { name: 'Search everything' });

async function isIn(place: Locator): Promise<void> {
  await expect.poll(() => place.evaluate((element) => element === document.activeElement)).toBe(true);
}

async function talk(text: string, answer: string): Promise<void> {
  parley.model.script(({ body }) => JSON.stringify(body).includes(text), reply(answer));
  await isIn(composer(page));
  await page.keyboard.type(text);
  await page.keyboard.press('Enter');
  await conversation(page).getByText(answer).waitFor();
  await answered(page);
}

describe('the focus', { timeout }, () => {
  it('is in the composer at once, and stays there when the conversation gets its own page', async () => {
    page = await parley.visit();
    await isIn(composer(page));
    await talk('First without a click', 'Heard the first.');
    await isIn(composer(page));
    await talk('Second without a click', 'Heard the second.');
    await expect.poll(() => page.title()).toBe('First without a click · Parley');
  });

  it('stays on the link when a conversation is opened by keyboard', async () => {
    page = await parley.visit();
    await talk('Opened from the list', 'Here it is.');
    const link = page
      .getByRole('navigation', { name: 'Conversations' })
      .getByRole('link', { name: 'Opened from the list' });
    await page.getByRole('button', { name: 'New conversation' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'sebastian' }).waitFor();
    await link.press('Enter');
    await conversation(page).getByText('Here it is.').waitFor();
    await isIn(link);
  });
});

describe('the lists and the links that skip them', { timeout }, () => {
  it('are used with the arrow keys, and skipped without leaving the page', async () => {
    page = await parley.visit();
    await talk('One of the list', 'Here is one.');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await composer(page).focus();
    await talk('Two of the list', 'Here are two.');
    const list = page.getByRole('navigation', { name: 'Conversations' });
    const search = list.getByLabel('Search conversations');
    const links = list.getByRole('listitem').getByRole('link');
    for (const name of ['One of the list', 'Two of the list'])
      await list.getByRole('link', { name }).waitFor();
    await search.press('ArrowDown');
    await isIn(links.first());
    await page.keyboard.press('ArrowDown');
    await isIn(links.nth(1));
    await page.keyboard.press('End');
    await isIn(links.last());
    await page.keyboard.press('ArrowDown');
    await isIn(links.last());
    await page.keyboard.press('Home');
    await page.keyboard.press('ArrowUp');
    await isIn(search);

    const { pathname } = new URL(page.url());
    await list.getByRole('button', { name: 'Skip the list' }).press('Enter');
    await isIn(composer(page));
    await page.getByRole('link', { name: 'Skip to content' }).press('Enter');
    await isIn(page.locator('#page'));
    expect(new URL(page.url()).pathname).toBe(pathname);
  });
});

describe('shortcuts', { timeout }, () => {
  it('are listed in a dialog, and leave what somebody writes alone', async () => {
    page = await parley.visit();
    await isIn(composer(page));
    await page.keyboard.press('Control+/');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.getByText('Search everything').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Alt+n');
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'hidden' });
    await isIn(composer(page));
    await page.keyboard.type('? Going on');
    await expect.poll(() => composer(page).inputValue()).toBe('? Going on');
    await page.keyboard.press('Control+/');
    await list.waitFor();
  });

  it('work with a modifier, and not in menus, which have their own keys', async () => {
    page = await parley.visit();
    await isIn(composer(page));
    await page.keyboard.press('Alt+g');
    await page.keyboard.press('o');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await expect.poll(() => page.title()).toBe('Overview · Parley');
    await page.getByRole('button', { name: /person and settings/ }).press('Enter');
    await page.getByRole('menuitem', { name: 'Settings' }).waitFor();
    await page.keyboard.press('Alt+g');
    await page.keyboard.press('c');
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor();
    await page.keyboard.press('Alt+g');
    await page.keyboard.press('c');
    await composer(page).waitFor();
    await page.keyboard.press('Alt+n');
    await isIn(composer(page));
  });

  it('stop an answer with Escape, wherever the focus is', async () => {
    page = await parley.visit();
    const gate = createGate();
    parley.model.script(
      ({ body }) => JSON.stringify(body).includes('Never ends'),
      reply(speak('On and on'), wait(gate.opened)),
    );
    await isIn(composer(page));
    await page.keyboard.type('Never ends');
    await page.keyboard.press('Enter');
    await conversation(page).getByText('On and on').waitFor();
    await page.getByRole('link', { name: 'Overview' }).focus();
    await page.keyboard.press('Escape');
    await conversation(page).getByText('Stopped').waitFor();
    gate.open();
  });
});

describe('the palette', { timeout }, () => {
  it('runs the chosen command and leaves the focus where it leads', async () => {
    page = await parley.visit();
    await talk('Plans for the summer', 'Lovely plans.');
    await page.getByRole('link', { name: 'Claude Code' }).focus();
    await page.keyboard.press('Control+k');
    await palette().waitFor();
    await expectAccessible(page);
    await page.keyboard.type('write a mess');
    await page.keyboard.press('Enter');
    await isIn(composer(page));
  });

  it('finds conversations by title, and keeps the selected one of a long list in view', async () => {
    page = await parley.visit({ person: 'petra', viewport: { width: 1_000, height: 420 } });
    await talk('A talk about tulips', 'Red ones.');
    await page.keyboard.press('Control+k');
    const talks = page.getByRole('option', { name: 'A talk about tulips' }).first();
    await talks.waitFor();
    for (let at = 0; at < 20; at += 1) await page.keyboard.press('ArrowDown');
    const chosen = page.getByRole('option', { selected: true });
    await chosen.getByText('Log out').waitFor();
    await expect
      .poll(() =>
        chosen.evaluate(
          (element) =>
            element.getBoundingClientRect().bottom <=
            (element.closest('[role=listbox]')?.getBoundingClientRect().bottom ?? 0) + 1,
        ),
      )
      .toBe(true);
    await page.keyboard.press('Escape');
    await isIn(composer(page));
    await page.keyboard.press('Alt+n');
    await page.getByRole('heading', { level: 1, name: 'petra' }).waitFor();
    await page.keyboard.press('Control+k');
    await palette().waitFor();
    await page.keyboard.type('tulips');
    await talks.waitFor();
    await page.keyboard.press('Enter');
    await conversation(page).getByText('Red ones.').waitFor();
  });
});
