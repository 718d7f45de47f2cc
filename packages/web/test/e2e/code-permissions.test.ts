// Permissions, questions and plans of the real program, answered on a phone.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createGate } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { fillInSession, hear, say } from './code-pages.ts';
import { expectAccessible, patienceMs, phone, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let page: Page;
const file = (name: string) => join(parley.home, 'demo', 'projects', 'reading-list', name);
beforeAll(async () => {
  page = await visit(parley.browser, parley, {
    path: '/code/new',
    viewport: phone,
    hasTouch: true,
    isMobile: true,
  });
  await fillInSession(page);
}, patienceMs);

/** The names of everything typed that this browser keeps. */
function storedTexts(tab: Page): Promise<string[]> {
  return tab.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('parley.draft.')));
}

describe('a permission on a phone', { timeout: patienceMs }, () => {
  it('shows exactly what would run, and the reason for a refusal reaches the model [code.permission.deny-with-message]', async () => {
    await say(page, 'Run touch refused.txt');
    const card = page.getByRole('region', { name: 'Allow Bash?' });
    await card.getByText('touch refused.txt').first().waitFor();
    await card.getByRole('button', { name: 'Deny' }).tap();
    await card.getByLabel('Tell Claude why').fill('Not on a Sunday');
    await card.getByRole('button', { name: 'Deny' }).tap();
    await hear(page, 'Not on a Sunday');
    expect(existsSync(file('refused.txt'))).toBe(false);
    // Whoever reads it: others may see the session too.
    await page.getByRole('button', { name: /Run touch.*Denied$/ }).waitFor();
    await expect.poll(() => storedTexts(page)).toEqual([]);
  });

  it('says that it was stopped, not what the model gets to read, even on a page opened later', async () => {
    await say(page, 'Run touch unasked.txt');
    await page.getByRole('region', { name: 'Allow Bash?' }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).tap();
    await page.getByRole('button', { name: 'Send' }).waitFor();
    const card = page
      .locator('[data-index]')
      .filter({ has: page.getByRole('button', { name: /^Run touch/ }) });
    for (const isLater of [false, true]) {
      if (isLater) await page.reload();
      await card
        .last()
        .getByRole('button', { name: /Stopped$/ })
        .waitFor();
      await card.last().getByText('touch unasked.txt').waitFor();
      expect(await card.last().innerText()).not.toMatch(/The user|STOP|before anybody|declined/);
      expect(await card.last().locator('.text-danger').count()).toBe(0);
    }
    expect(existsSync(file('unasked.txt'))).toBe(false);
  });

  it('is allowed once, and asked again the next time [code.permission.allow]', async () => {
    for (const name of ['once.txt', 'again.txt']) {
      await say(page, `Run touch ${name}`);
      await page.getByRole('button', { name: /Allow once/ }).tap();
      await expect.poll(() => existsSync(file(name))).toBe(true);
      await page.getByRole('button', { name: 'Send' }).waitFor();
    }
  });

  it('is allowed for the session, and not asked again [code.permission.always-allow]', async () => {
    await say(page, 'Run touch always.txt');
    await page.getByRole('button', { name: 'Allow all Bash commands for this session' }).tap();
    await expect.poll(() => existsSync(file('always.txt'))).toBe(true);
    await page.getByRole('button', { name: 'Send' }).waitFor();
    await say(page, 'Run touch later.txt');
    await expect.poll(() => existsSync(file('later.txt'))).toBe(true);
  });
});

describe('a question on a phone', { timeout: patienceMs }, () => {
  it('is answered with one of its options [code.ws.question-answer]', async () => {
    await say(page, 'Ask me a question');
    const form = page.getByRole('region', { name: 'Claude has a question' });
    await form.getByRole('radio', { name: /Orange/ }).tap();
    await expectAccessible(page);
    await form.getByRole('button', { name: 'Answer', exact: true }).tap();
    await hear(page, 'Orange it is. Thank you!');
  });

  it('stays within the screen, whatever is queued below it', async () => {
    await say(page, 'Ask me a question');
    const form = page.getByRole('region', { name: 'Claude has a question' });
    await form.waitFor();
    await say(page, 'Words without an end '.repeat(20));
    const queue = page.getByRole('region', { name: 'Queued messages' });
    for (const button of [
      queue.getByRole('button', { name: 'Withdraw' }),
      page.getByRole('button', { name: 'Add to queue' }),
    ]) {
      const box = await button.boundingBox();
      expect((box?.x ?? phone.width) + (box?.width ?? 0)).toBeLessThanOrEqual(phone.width);
    }
    await queue.getByRole('button', { name: 'Withdraw' }).tap();
    await form.getByRole('button', { name: 'Skip' }).tap();
    await page.getByRole('button', { name: 'Send' }).waitFor();
  });

  it('is answered with free text', async () => {
    await say(page, 'Ask me a question');
    const form = page.getByRole('region', { name: 'Claude has a question' });
    await form.getByLabel(/Other answer to/).fill('Purple');
    await form.getByRole('button', { name: 'Answer', exact: true }).tap();
    await hear(page, 'Purple it is. Thank you!');
    await expect.poll(() => storedTexts(page)).toEqual([]);
  });
});

describe('a plan on a phone', { timeout: patienceMs }, () => {
  it('is read and approved', async () => {
    await say(page, 'Make a plan');
    const card = page.getByRole('region', { name: 'Approve this plan?' });
    await card.getByText('Make the smallest change that helps.').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: /Approve/ }).tap();
    await hear(page, /The plan is approved/);
  });
});

describe('a permission with a mouse and a keyboard', { timeout: patienceMs }, () => {
  it('is not decided by letters, and takes the first click on Deny [code.permission.keys]', async () => {
    const writer = await parley.visit({ path: '/code/new' });
    await fillInSession(writer, 'Run touch typed.txt');
    const card = writer.getByRole('region', { name: 'Allow Bash?' });
    await card.waitFor();
    const at = writer.url();
    await writer.getByRole('log', { name: 'Conversation' }).focus();
    for (const letter of 'asdrngc/?') await writer.keyboard.press(letter);
    await card.getByText('touch typed.txt').first().waitFor();
    expect(await writer.getByRole('dialog').count()).toBe(0);
    expect(writer.url()).toBe(at);

    // Pressing the button takes the focus from the field. The card must not change under the pointer.
    await writer.getByRole('textbox', { name: 'Message', exact: true }).focus();
    const deny = card.getByRole('button', { name: 'Deny' });
    const box = await deny.boundingBox();
    await writer.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 3, (box?.y ?? 0) + 5);
    await writer.mouse.down();
    await writer.mouse.up();
    await card.getByLabel('Tell Claude why').waitFor();
    expect(existsSync(file('typed.txt'))).toBe(false);
  });

  it('can be allowed as narrowly as the program suggests [code.permission.suggested-rule]', async () => {
    const writer = await parley.visit({ path: '/code/new' });
    await fillInSession(writer, 'Run mkdir narrow');
    await writer.getByRole('button', { name: 'Allow “mkdir narrow …” for this session' }).click();
    await expect.poll(() => existsSync(file('narrow'))).toBe(true);
    await writer.getByRole('button', { name: 'Send' }).waitFor();
    await say(writer, 'Run mkdir narrow -p narrower');
    await expect.poll(() => existsSync(file('narrower'))).toBe(true);
    await writer.getByRole('button', { name: 'Send' }).waitFor();
    await say(writer, 'Run touch wider.txt');
    await writer.getByRole('region', { name: 'Allow Bash?' }).getByText('touch wider.txt').first().waitFor();
  });
});

describe('a permission for somebody who is writing', { timeout: patienceMs }, () => {
  it('shows the keys that answer it, which leave the draft alone', async () => {
    const writer = await parley.visit({ path: '/code/new' });
    await fillInSession(writer, 'Run touch by-key.txt');
    const card = writer.getByRole('region', { name: 'Allow Bash?' });
    await card.waitFor();
    const field = writer.getByRole('textbox', { name: 'Message', exact: true });
    await field.fill('What I was about to say');
    await card.getByText('Alt+A').waitFor();
    await field.press('Alt+a');
    await expect.poll(() => existsSync(file('by-key.txt'))).toBe(true);
    await expect.poll(() => field.inputValue()).toBe('What I was about to say');
  });

  it('is decided once, however often the keys are pressed', async () => {
    const writer = await parley.visit({ path: '/code/new' });
    await fillInSession(writer, 'Run touch pressed-twice.txt');
    const card = writer.getByRole('region', { name: 'Allow Bash?' });
    await card.waitFor();
    const gate = createGate();
    let decisions = 0;
    await writer.route('**/permissions/*', async (route) => {
      decisions += 1;
      await gate.opened;
      await route.continue();
    });
    await writer.keyboard.press('Alt+a');
    await expect.poll(() => decisions).toBe(1);
    await writer.keyboard.press('Alt+a');
    await writer.keyboard.press('Alt+d');
    await writer.keyboard.press('Enter');
    gate.open();
    await expect.poll(() => existsSync(file('pressed-twice.txt'))).toBe(true);
    await card.waitFor({ state: 'detached' });
    expect(decisions).toBe(1);
  });
});
