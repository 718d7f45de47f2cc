// Editing a message and asking again: each starts a new version, and the arrows below the message lead back.
import { reply } from '@parley/stand-ins';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, composer, conversation, prompts, say } from './chat-page.ts';
import { fillInSession, hear, say as tell } from './code-pages.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const scripted = runningParley({ scripted: true });
const demo = runningParley();
let page: Page;

const switcher = (): Locator => page.getByRole('group', { name: 'Versions' });

/** A reload of the page would start a new conversation. */
async function openAgain(): Promise<void> {
  const url = page.url();
  await page.goto('about:blank');
  await page.goto(url);
}

async function edit(prompt: Locator, words: string): Promise<void> {
  await prompt.hover();
  await prompt.getByRole('button', { name: 'Message menu' }).click();
  await page.getByRole('menuitem', { name: 'Edit and send again' }).click();
  await expect.poll(() => composer(page).inputValue()).not.toBe('');
  await composer(page).fill(words);
  await composer(page).press('Enter');
}

describe.each([
  ['a desktop', { width: 1280, height: 800 }, 'figs', 'dates'],
  ['a phone', phone, 'melons', 'grapes'],
] as const)('a conversation on %s', (_, viewport, fruit, others) => {
  function whenAsked(text: string, answer: string): void {
    scripted.model.script(
      ({ body }) => JSON.stringify(body.messages.at(-1)).includes(text),
      reply(answer),
      reply(`${answer} Again.`),
    );
  }

  async function talk(text: string, answer: string): Promise<void> {
    whenAsked(text, answer);
    await say(page, text);
    await conversation(page).getByText(answer).waitFor();
    await answered(page);
  }

  it('gets a version with the edited message, and keeps the old one [kitchen.ui.versions]', {
    timeout: patienceMs,
  }, async () => {
    page = await scripted.visit({ viewport });
    await talk(`About ${fruit}`, 'Purple.');
    await talk(`The size of ${fruit}`, 'Small.');
    await composer(page).fill('Half a thought');
    whenAsked(`About ripe ${fruit}`, 'Brown.');
    await edit(prompts(page).first(), `About ripe ${fruit}`);
    await conversation(page).getByText('Brown.').waitFor();
    await answered(page);
    await expect.poll(() => prompts(page).count()).toBe(1);
    await expect.poll(() => composer(page).inputValue()).toBe('Half a thought');
    await expect.poll(() => switcher().textContent()).toBe('Version 2 of 2');
    await expectAccessible(page);

    await switcher().getByRole('button', { name: 'Previous version' }).click();
    await conversation(page).getByText('Small.').waitFor();
    await expect.poll(() => prompts(page).count()).toBe(2);
    await expect.poll(() => switcher().textContent()).toBe('Version 1 of 2');
    await expect.poll(() => conversation(page).getByText('Brown.').count()).toBe(0);

    await page.getByRole('button', { name: 'Ask again' }).last().click();
    await conversation(page).getByText('Small. Again.').waitFor();
    await answered(page);
    await expect.poll(() => prompts(page).count()).toBe(2);
    await expect.poll(() => switcher().allTextContents()).toEqual(['Version 1 of 2', 'Version 2 of 2']);
    await page.goBack();
    await expect.poll(() => switcher().allTextContents()).toEqual(['Version 1 of 2', 'Version 1 of 2']);
    await openAgain();
    await expect.poll(() => switcher().allTextContents()).toEqual(['Version 1 of 2', 'Version 1 of 2']);
  });

  it('keeps the edited message in the composer while it cannot be sent [kitchen.ui.typed-text]', {
    timeout: patienceMs,
  }, async () => {
    page = await scripted.visit({ viewport });
    await talk(`About ${others}`, 'Sweet.');
    await page.route('**/branches*', (route) => route.abort());
    await edit(prompts(page).first(), `About dried ${others}`);
    await page.getByRole('alert').first().waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe(`About dried ${others}`);
    await openAgain();
    await expect.poll(() => composer(page).inputValue()).toBe(`About dried ${others}`);
    await page.unroute('**/branches*');
    whenAsked(`About dried ${others}`, 'Sweeter.');
    await composer(page).press('Enter');
    await conversation(page).getByText('Sweeter.').waitFor();
    await expect.poll(() => prompts(page).count()).toBe(1);
  });
});

describe('a Claude Code session', () => {
  it('gets a version with the edited message, is one entry in the list, and keeps the old version [code.session.versions]', {
    timeout: patienceMs,
  }, async () => {
    page = await demo.visit({ path: '/code/new' });
    await fillInSession(page, 'Hello');
    await hear(page, /scripted demo model/);
    await hear(page, /tokens written/);
    await tell(page, 'Read README.md');
    await hear(page, /README\.md says/);
    await expect
      .poll(() =>
        conversation(page)
          .getByText(/tokens written/)
          .count(),
      )
      .toBe(2);
    const first = page.url();

    await edit(prompts(page).last(), 'Search for TODO');
    await expect.poll(() => page.url()).not.toBe(first);
    await hear(page, /tokens written/);
    await conversation(page).getByText('Search for TODO').first().waitFor();
    await expect.poll(() => conversation(page).getByText('Read README.md').count()).toBe(0);
    await hear(page, 'Hello');
    await expect.poll(() => switcher().textContent()).toBe('Version 2 of 2');
    await expectAccessible(page);
    const entries = page.getByRole('navigation').getByRole('link', { name: /Hello/ });
    await expect.poll(() => entries.count()).toBe(1);

    await switcher().getByRole('button', { name: 'Previous version' }).click();
    await expect.poll(() => page.url()).toBe(first);
    await hear(page, /README\.md says/);
    await expect.poll(() => switcher().textContent()).toBe('Version 1 of 2');
    await page.reload();
    await hear(page, /README\.md says/);
    await expect.poll(() => switcher().textContent()).toBe('Version 1 of 2');
  });
});

async function choose(prompt: Locator, item: string): Promise<void> {
  await prompt.hover();
  await prompt.getByRole('button', { name: 'Message menu' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

describe('an earlier message', { timeout: patienceMs }, () => {
  it('of a chat can be asked again and forked from [app.versions.any] [app.versions.fork]', async () => {
    const when = (text: string, ...answers: string[]) =>
      scripted.model.script(
        ({ body }) => JSON.stringify(body.messages.at(-1)).includes(text),
        ...answers.map((answer) => reply(answer)),
      );
    when('First fruit', 'Apples.', 'Pears.');
    when('Second fruit', 'Plums.', 'Grapes.');
    page = await scripted.visit();
    await say(page, 'First fruit');
    await hear(page, 'Apples.');
    await answered(page);
    await say(page, 'Second fruit');
    await hear(page, 'Plums.');
    await answered(page);
    const original = page.url();

    await choose(prompts(page).first(), 'Ask again');
    await hear(page, 'Pears.');
    await answered(page);
    await expect.poll(() => switcher().textContent()).toBe('Version 2 of 2');
    await expect.poll(() => prompts(page).count()).toBe(1);
    await switcher().getByRole('button', { name: 'Previous version' }).click();
    await hear(page, 'Plums.');
    expect(page.url()).toBe(original);

    await choose(prompts(page).first(), 'Fork from here');
    await expect.poll(() => page.url()).not.toBe(original);
    await hear(page, 'Apples.');
    await expect.poll(() => prompts(page).count()).toBe(1);
    await expect.poll(() => switcher().count()).toBe(0);
    await page.getByText('First fruit (fork)').first().waitFor();
    await expectAccessible(page);
    await say(page, 'Second fruit');
    await hear(page, 'Grapes.');
  });

  it('of a Claude Code session can be asked again and forked from [app.versions.any] [app.versions.fork]', async () => {
    page = await demo.visit({ path: '/code/new' });
    await fillInSession(page, 'Count to 3');
    await hear(page, '1, 2, 3.');
    await answered(page);
    await tell(page, 'Count to 4');
    await hear(page, '1, 2, 3, 4.');
    await answered(page);
    const original = page.url();

    await choose(prompts(page).first(), 'Ask again');
    await expect.poll(() => page.url()).not.toBe(original);
    await hear(page, '1, 2, 3.');
    await answered(page);
    await expect.poll(() => prompts(page).count()).toBe(1);
    await expect.poll(() => switcher().textContent()).toBe('Version 2 of 2');
    await switcher().getByRole('button', { name: 'Previous version' }).click();
    await hear(page, '1, 2, 3, 4.');

    await choose(prompts(page).first(), 'Fork from here');
    await expect.poll(() => page.url()).not.toBe(original);
    await hear(page, '1, 2, 3.');
    await expect.poll(() => prompts(page).count()).toBe(1);
    await expect.poll(() => switcher().count()).toBe(0);
    await expectAccessible(page);
    await tell(page, 'Count to 5');
    await hear(page, '1, 2, 3, 4, 5.');
  });
});
