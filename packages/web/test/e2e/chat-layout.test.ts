// Answers of awkward shapes stay within the page, on a desktop and on a phone. The test plays the model.
import { createGate, reply, say as speak, wait } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, conversation, say } from './chat-page.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley({ scripted: true });
let page: Page;

const endless = 'Donaudampfschifffahrtsgesellschaft'.repeat(12);
const shapes = `${endless}

https://example.org/${'a-path-without-an-end/'.repeat(20)} and \`${'inline_code_'.repeat(30)}\`

\`\`\`ts
const line = '${'a line of code that no screen is wide enough for '.repeat(6)}';
\`\`\`

| ${Array.from({ length: 14 }, (_, at) => `Column ${at}`).join(' | ')} |
|${'---|'.repeat(14)}
| ${Array.from({ length: 14 }, (_, at) => `value ${at}`).join(' | ')} |

- [x] ${endless}
- [ ] The end of it.`;

describe('an answer with lines, tables and words that are too long', { timeout }, () => {
  it.each([
    ['a desktop', undefined],
    ['a phone', phone],
  ])('stays within the conversation on %s', async (_name, viewport) => {
    page = await parley.visit(viewport && { viewport });
    parley.model.script(({ body }) => JSON.stringify(body).includes('All shapes'), reply(shapes));
    await say(page, `All shapes ${endless}`);
    await conversation(page).getByText('The end of it.').waitFor();
    await answered(page);
    expect(await conversation(page).evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
    // What does not fit scrolls on its own, by keyboard too.
    for (const name of ['Code', 'Table'])
      await conversation(page).getByRole('group', { name, exact: true }).waitFor();
    await expectAccessible(page);
  });
});

describe('a long queued message', { timeout }, () => {
  it('can be discarded on a phone', async () => {
    page = await parley.visit({ viewport: phone });
    const gate = createGate();
    parley.model.script(
      ({ body }) => JSON.stringify(body).includes('Before the others'),
      reply(speak('Working'), wait(gate.opened)),
    );
    await say(page, 'Before the others');
    await conversation(page).getByText('Working').waitFor();
    await say(page, 'A message that is far too long for one line of a phone, and waits. '.repeat(3));
    const waiting = page.getByRole('region', { name: 'Queued messages' });
    const back = waiting.getByRole('button', { name: 'Withdraw' });
    await back.waitFor();
    expect(await back.evaluate((button) => button.getBoundingClientRect().right <= innerWidth)).toBe(true);
    await back.click();
    await waiting.waitFor({ state: 'hidden' });
    gate.open();
  });
});

describe('a conversation scrolled to its end', { timeout }, () => {
  it('stays at its end when queued messages get their turn', async () => {
    page = await parley.visit({ viewport: phone });
    const gate = createGate();
    parley.model.script(
      ({ body }) => JSON.stringify(body).includes('More than a page'),
      reply(speak('Words that fill the page. '.repeat(60)), wait(gate.opened)),
      reply('The second. '.repeat(60)),
      reply(`${'The third. '.repeat(60)} Over and out.`),
    );
    await say(page, 'More than a page');
    await conversation(page).getByText('Words that fill').waitFor();
    for (const text of ['Waits', 'Waits longer']) await say(page, text);
    await page.getByRole('region', { name: 'Queued messages' }).getByRole('listitem').nth(1).waitFor();
    gate.open();
    await conversation(page).getByText('Over and out.').waitFor();
    await answered(page);
    await expect
      .poll(() =>
        conversation(page).evaluate((box) => Math.round(box.scrollHeight - box.scrollTop - box.clientHeight)),
      )
      .toBe(0);
  });
});

describe('a long conversation', { timeout }, () => {
  it('is printed as a whole, and follows its end again afterwards', async () => {
    page = await parley.visit();
    const asked = Array.from({ length: 6 }, (_, at) => `Message number ${at}.`);
    for (const text of asked) {
      parley.model.script(
        ({ body }) => JSON.stringify(body).includes(text),
        reply(`Answer to ${text} ${'It fills the page. '.repeat(200)}`),
      );
      await say(page, text);
      await conversation(page).getByText(`Answer to ${text}`).waitFor();
      await answered(page);
    }
    const first = conversation(page).getByText('Message number 0.', { exact: true });
    expect(await first.count()).toBe(0);
    await page.emulateMedia({ media: 'print' });
    await first.waitFor();
    await conversation(page).getByText('Message number 5.', { exact: true }).waitFor();
    await page.emulateMedia({ media: 'screen' });
    await expect.poll(() => first.count()).toBe(0);
    parley.model.script(({ body }) => JSON.stringify(body).includes('The very last'), reply('Over and out.'));
    await say(page, 'The very last');
    await expect
      .poll(() =>
        conversation(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight < 2),
      )
      .toBe(true);
  });
});

describe('text written from right to left', { timeout }, () => {
  it('is aligned right in messages and answers, next to text that is not', async () => {
    page = await parley.visit();
    parley.model.script(
      ({ body }) => JSON.stringify(body).includes('كيف حالك'),
      reply('هذه إجابة.\n\n- عنصر أول\n\nIn English.'),
    );
    await say(page, 'كيف حالك');
    await conversation(page).getByText('In English.').waitFor();
    const side = (text: string) =>
      conversation(page)
        .getByText(text)
        .evaluate((element) => {
          const words = document.createRange();
          words.selectNodeContents(element);
          const box = element.getBoundingClientRect();
          const { left, right } = words.getBoundingClientRect();
          return left - box.left > box.right - right ? 'right' : 'left';
        });
    expect(await side('هذه إجابة.')).toBe('right');
    expect(await side('عنصر أول')).toBe('right');
    expect(await side('In English.')).toBe('left');
    const direction = (text: string) =>
      conversation(page)
        .getByText(text)
        .evaluate((element) => getComputedStyle(element).direction);
    expect(await direction('كيف حالك')).toBe('rtl');
  });
});
