// Whatever somebody types is there until it is sent: after a reload, a new login, an edit, a refusal.
import { createGate, type Reply, reply, say as speak, wait } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, composer, conversation, prompts, say } from './chat-page.ts';
import { password, patienceMs, secondTab } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley({
  scripted: true,
  config: { limits: { requestsPerMinute: 100_000, totalRequestsPerMinute: 100_000, messageChars: 1_000 } },
});
let page: Page;

function whenAsked(text: string, ...replies: readonly Reply[]): void {
  parley.model.script(({ body }) => JSON.stringify(body).includes(text), ...replies);
}

async function talk(text: string, answer: string): Promise<void> {
  whenAsked(text, reply(answer));
  await say(page, text);
  await conversation(page).getByText(answer).waitFor();
  await answered(page);
}

const written = () => composer(page).inputValue();

describe('typed text', { timeout }, () => {
  it('is kept for each conversation, and in another tab when this one was closed [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    await talk('About apples', 'Red.');
    await composer(page).fill('More about apples');
    await page.getByRole('button', { name: 'New conversation' }).click();
    await expect.poll(written).toBe('');
    await composer(page).fill('Something new');
    const other = await secondTab(page, parley.url);
    await page.close();
    page = other;
    await expect.poll(written).toBe('Something new');
    await page.getByRole('link', { name: 'About apples' }).click();
    await expect.poll(written).toBe('More about apples');
    await composer(page).fill('');
  });

  it('is sent after the login that it needs first [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    await talk('About pears', 'Green.');
    await page.context().clearCookies();
    whenAsked('And plums', reply('Blue.'));
    await say(page, 'And plums');
    await page.locator('[name=password]').fill(password);
    await page.locator('[type=submit]').click();
    await page.getByRole('button', { name: 'sebastian', exact: true }).click();
    await conversation(page).getByText('Blue.').waitFor();
    await expect.poll(() => prompts(page).count()).toBe(2);
  });

  it('stays while a new conversation is created, and comes back if that fails [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    const gate = createGate();
    let isRefused = true;
    await page.route('**/api/sessions', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await gate.opened;
      return isRefused ? route.abort() : route.continue();
    });
    const sending = page.getByText('Sending …');
    await say(page, 'About kiwis');
    await sending.waitFor();
    await page.getByText('About kiwis', { exact: true }).waitFor();
    await composer(page).fill('And lychees');
    // Nothing is sent twice, and nothing is forgotten.
    await composer(page).press('Enter');
    await page.reload();
    await expect.poll(written).toBe('About kiwis\n\nAnd lychees');

    await composer(page).press('Enter');
    gate.open();
    await page.getByRole('button', { name: 'Retry' }).waitFor();
    await expect.poll(written).toBe('About kiwis\n\nAnd lychees');

    isRefused = false;
    const again = createGate();
    await page.route('**/api/sessions', async (route) => {
      await again.opened;
      return route.fallback();
    });
    whenAsked('About kiwis', reply('Fuzzy.'));
    await composer(page).fill('About kiwis');
    await composer(page).press('Enter');
    await sending.waitFor();
    await composer(page).fill('And lychees');
    again.open();
    await conversation(page).getByText('Fuzzy.').waitFor();
    expect(await written()).toBe('And lychees');
    expect(await prompts(page).count()).toBe(1);
    await composer(page).fill('');
  });

  it('comes back after a message that was sent before has been edited [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    await talk('About quinces', 'Yellow.');
    await composer(page).fill('Half a thought');
    const edit = async () => {
      await prompts(page).last().hover();
      await prompts(page).last().getByRole('button', { name: 'Message menu' }).click();
      await page.getByRole('menuitem', { name: 'Edit and send again' }).click();
    };
    await edit();
    await expect.poll(written).toBe('About quinces');
    await page.getByRole('button', { name: 'Stop editing' }).click();
    await expect.poll(written).toBe('Half a thought');
    await edit();
    await expect.poll(written).toBe('About quinces');
    await composer(page).fill('About ripe quinces');
    whenAsked('About ripe quinces', reply('Golden.'));
    await composer(page).press('Enter');
    await conversation(page).getByText('Golden.').waitFor();
    await expect.poll(written).toBe('Half a thought');
    await composer(page).fill('');
  });

  it('returns from the queue [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    const gate = createGate();
    whenAsked('Count', reply(speak('One '), wait(gate.opened), speak('two.')));
    await say(page, 'Count');
    await conversation(page).getByText('One').waitFor();
    await say(page, 'What I wanted to add');
    await composer(page).fill('and more');
    const queue = page.getByRole('region', { name: 'Queued messages' });
    await queue.getByText('What I wanted to add').waitFor();
    await queue.getByRole('button', { name: 'Withdraw' }).click();
    await expect.poll(written).toBe('What I wanted to add\n\nand more');
    await expect.poll(() => queue.count()).toBe(0);
    gate.open();
    await answered(page);
    await composer(page).fill('');
  });

  it('can be shortened when the server refuses it [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    await talk('About figs', 'Purple.');
    const long = 'long '.repeat(300).trim();
    await say(page, long);
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
    await expect.poll(written).toBe(long);
    await composer(page).fill('');
  });

  it('is sent again automatically when only its request failed [kitchen.ui.typed-text]', async () => {
    page = await parley.visit();
    await talk('About dates', 'Brown.');
    let failures = 2;
    await page.route('**/prompts', (route) => {
      failures -= 1;
      return failures >= 0 ? route.abort() : route.continue();
    });
    whenAsked('And olives', reply('Black.'));
    await say(page, 'And olives');
    await conversation(page).getByText('Black.').waitFor();
    expect(failures).toBeLessThan(0);
  });
});
