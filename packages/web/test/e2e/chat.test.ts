// Chatting: sending, streaming, tools, failures, stopping, queued messages, pictures. The test plays the model.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  callTool,
  createGate,
  errorInStream,
  type Reply,
  reply,
  say as speak,
  wait,
} from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { answered, choose, composer, conversation, prompts, say } from './chat-page.ts';
import { expectAccessible, patienceMs, secondTab } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
/** One pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

const slowTools = fileURLToPath(new URL('slow-tools.mjs', import.meta.url));
const garden = mkdtempSync(join(tmpdir(), 'parley-garden-'));
afterAll(() => rmSync(garden, { recursive: true, force: true }));
const parley = runningParley({
  scripted: true,
  config: {
    mcpServers: { garden: { command: process.execPath, args: [slowTools, join(garden, 'watered')] } },
    assistants: [
      { name: 'garden', label: 'Garden', tools: ['garden'], systemPrompt: 'You look after the garden.' },
    ],
  },
});
let page: Page;

/** The model's answers in the conversation that contains this text. */
function whenAsked(text: string, ...replies: readonly Reply[]): void {
  parley.model.script(({ body }) => JSON.stringify(body).includes(text), ...replies);
}

describe('a message', { timeout }, () => {
  it('appears in the conversation, goes to the API, and its answer streams in [kitchen.ui.send] [kitchen.ui.streaming]', async () => {
    page = await parley.visit();
    const gate = createGate();
    const long = Array.from({ length: 60 }, (_, at) => `Line ${at}.\n\n`);
    whenAsked(
      'Tell me a long story',
      reply(speak('First words.\n\n'), wait(gate.opened), speak(...long), speak('Last words.')),
    );
    const posted = page.waitForRequest((request) => request.url().endsWith('/prompts'));
    await composer(page).fill('Tell me a long story');
    await page.getByRole('button', { name: 'Send', exact: true }).click();

    expect((await posted).postDataJSON()).toEqual({ message: 'Tell me a long story' });
    await conversation(page).getByText('Tell me a long story').waitFor();
    await conversation(page).getByText('First words.').waitFor();
    expect(await page.getByText('Last words.').count()).toBe(0);
    gate.open();
    await answered(page);
    const end = conversation(page).getByText('Last words.');
    await expect.poll(() => end.evaluate(isInView)).toBe(true);
  });

  it('has an answer that is not drawn again when it is complete [kitchen.ui.streaming]', async () => {
    page = await parley.visit();
    const gate = createGate();
    whenAsked('Take your time', reply(speak('A beginning.\n\n'), wait(gate.opened), speak('An end.')));
    await say(page, 'Take your time');
    const beginning = await conversation(page)
      .getByRole('paragraph')
      .filter({ hasText: 'A beginning.' })
      .elementHandle();
    gate.open();
    await answered(page);
    await conversation(page).getByRole('button', { name: 'Copy answer' }).waitFor();
    expect(await beginning?.evaluate((element) => element.isConnected)).toBe(true);
  });

  it('is sent with Enter, and Shift+Enter starts a new line', async () => {
    page = await parley.visit();
    whenAsked('line two', reply('Both.'));
    await composer(page).fill('one');
    await composer(page).press('Shift+Enter');
    await composer(page).pressSequentially('line two');
    expect(await composer(page).inputValue()).toBe('one\nline two');
    await composer(page).press('Enter');
    await conversation(page).getByText('Both.').waitFor();
    await expect.poll(() => composer(page).inputValue()).toBe('');
  });

  it('is not lost if it is sent before the page has loaded everything', async () => {
    page = await parley.visit();
    const gate = createGate();
    await page.route('**/api/assistants', async (route) => {
      await gate.opened;
      await route.continue();
    });
    whenAsked('As early as can be', reply('Early bird.'));
    await page.goto(parley.url);
    await say(page, 'As early as can be');
    gate.open();
    await conversation(page).getByText('Early bird.').waitFor();
  });

  it('is no longer shown as being sent once it is answered, even if the receipt comes last', async () => {
    page = await parley.visit();
    const gate = createGate();
    await page.route('**/prompts', async (route) => {
      const response = await route.fetch();
      await gate.opened;
      await route.fulfill({ response });
    });
    whenAsked('Faster than the receipt', reply('Here already.'));
    await say(page, 'Faster than the receipt');
    await conversation(page).getByText('Here already.').waitFor();
    await page.getByRole('button', { name: 'Copy answer' }).waitFor();
    gate.open();
    await answered(page);
    await page.getByRole('button', { name: 'Ask again' }).waitFor();
    await expect.poll(() => prompts(page).count()).toBe(1);
  });

  it('can have pictures, which are shown before and can be removed', async () => {
    page = await parley.visit();
    const file = (name: string) => ({ name, mimeType: 'image/png', buffer: pixel });
    const picker = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Attach files' }).click();
    await (await picker).setFiles([file('cat.png'), file('dog.png')]);
    await page.getByRole('img', { name: 'dog.png' }).waitFor();
    await page.getByRole('button', { name: 'Remove cat.png' }).click();
    await expect.poll(() => page.getByRole('list', { name: 'Attachments' }).getByRole('img').count()).toBe(1);
    await pasteImage(page);
    await page.getByRole('button', { name: 'Remove pasted.png' }).waitFor();

    parley.model.clearRequests();
    whenAsked('What is this?', reply('Two pictures.'));
    await say(page, 'What is this?');
    await conversation(page).getByText('Two pictures.').waitFor();
    const content = JSON.stringify(parley.model.conversations.at(-1)?.body);
    expect(content.match(/"media_type":"image\/png"/g)).toHaveLength(2);
    await expect.poll(() => conversation(page).locator('img').evaluateAll(areLoaded)).toBe(2);
  });
});

describe('an answer', { timeout }, () => {
  it('can be copied, and a notice says if the browser refuses', async () => {
    page = await parley.visit({ permissions: ['clipboard-read', 'clipboard-write'] });
    whenAsked('Something to copy', reply('Copy **me**.'));
    await say(page, 'Something to copy');
    await page.getByRole('button', { name: 'Copy answer' }).click();
    await page.getByRole('button', { name: 'Copied', exact: true }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('Copy **me**.');

    await page.context().clearPermissions();
    const browser = await parley.browser.newBrowserCDPSession();
    const permission = { name: 'clipboard-write' };
    await browser.send('Browser.setPermission', { permission, setting: 'denied', origin: parley.url });
    await browser.detach();
    await page.getByRole('button', { name: 'Copy answer' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'Your browser didn’t allow copying.' });
    await notice.waitFor();
    await page.getByRole('button', { name: 'Not copied', exact: true }).waitFor();
    await expectAccessible(page);
    await notice.getByRole('button', { name: 'Close' }).click();
    await notice.waitFor({ state: 'hidden' });
  });
});

describe('a tool', { timeout }, () => {
  it('is described while it runs, and opens to show what it did [kitchen.ui.tool-activity]', async () => {
    page = await parley.visit();
    await choose(page, 'Garden');
    whenAsked(
      'Please water the plants',
      reply('One moment.', callTool('water_the_plants', { where: 'balcony' })),
      reply('They have water now.'),
    );
    await say(page, 'Please water the plants');
    await page.getByRole('status').getByText('Using water the plants …').waitFor();
    await expectAccessible(page);
    writeFileSync(join(garden, 'watered'), '');
    await conversation(page).getByText('They have water now.').waitFor();
    await conversation(page).getByText('Used water the plants').click();
    await conversation(page).getByText('"where": "balcony"').waitFor();
    await conversation(page).getByText('The plants have water.').waitFor();
    await expectAccessible(page);
  });
});

describe('a failure', { timeout }, () => {
  it('says what happened, and Retry asks again [kitchen.ui.error-retry]', async () => {
    page = await parley.visit();
    whenAsked(
      'Try something hard',
      reply(speak('I begin'), errorInStream('api_error', 'internal')),
      reply('Now it works.'),
    );
    await say(page, 'Try something hard');
    const alert = conversation(page).getByRole('alert');
    await alert.waitFor();
    expect((await alert.textContent())?.length).toBeGreaterThan(20);
    await alert.getByRole('button', { name: 'Retry' }).click();
    await conversation(page).getByText('Now it works.').waitFor();
    await expect.poll(() => conversation(page).getByText('Try something hard').count()).toBe(1);
    await expect.poll(() => conversation(page).getByText('I begin').count()).toBe(0);
  });
});

describe('while an answer streams in', { timeout }, () => {
  it('the person can stop it', async () => {
    page = await parley.visit();
    const gate = createGate();
    whenAsked('Go on', reply(speak('I go on and on'), wait(gate.opened)));
    await say(page, 'Go on');
    await conversation(page).getByText('I go on and on').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await conversation(page).getByText('Stopped').waitFor();
    gate.open();
  });

  it('more messages queue up, and can be reordered and taken back', async () => {
    page = await parley.visit();
    const gate = createGate();
    whenAsked('The first', reply(speak('Working'), wait(gate.opened)), reply('That was three.'));
    await say(page, 'The first');
    await conversation(page).getByText('Working').waitFor();
    const waiting = page.getByRole('region', { name: 'Queued messages' });
    for (const [at, text] of ['Two', 'Three'].entries()) {
      await say(page, text);
      await expect.poll(() => waiting.getByRole('listitem').count()).toBe(at + 1);
    }
    await waiting.getByRole('button', { name: 'Move up' }).nth(1).click();
    await expect.poll(() => waiting.getByRole('listitem').allTextContents()).toEqual(['Three', 'Two']);
    await waiting.getByRole('button', { name: 'Withdraw' }).nth(1).click();
    await expect.poll(() => waiting.getByRole('listitem').allTextContents()).toEqual(['Three']);
    gate.open();
    await conversation(page).getByText('That was three.').waitFor();
    await expect.poll(() => conversation(page).getByText('Two', { exact: true }).count()).toBe(0);
    await expect.poll(() => composer(page).inputValue()).toBe('Two');
  });

  it('a second tab shows the same text', async () => {
    page = await parley.visit();
    const gate = createGate();
    whenAsked('In both tabs', reply(speak('Half of'), wait(gate.opened), speak(' the answer.')));
    await say(page, 'In both tabs');
    await conversation(page).getByText('Half of').waitFor();
    const tab = await secondTab(page, page.url());
    await conversation(tab).getByText('Half of').waitFor();
    await tab.getByRole('button', { name: 'Stop', exact: true }).waitFor();
    gate.open();
    await Promise.all(
      [page, tab].map((each) => conversation(each).getByText('Half of the answer.').waitFor()),
    );
    whenAsked('And now from here', reply('Said from the other.'));
    await say(tab, 'And now from here');
    await conversation(page).getByText('Said from the other.').waitFor();
  });
});

function isInView(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** How many pictures have loaded. */
function areLoaded(elements: readonly Element[]): number {
  return elements.filter((element) => element instanceof HTMLImageElement && element.naturalWidth > 0).length;
}

async function pasteImage(target: Page): Promise<void> {
  await composer(target).evaluate((field, base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0);
    const clipboardData = new DataTransfer();
    clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
    field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, pixel.toString('base64'));
}
