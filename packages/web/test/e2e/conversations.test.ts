// The list of conversations: search, rename, delete, start over; and permissions, below the path of a proxy.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, choose, conversation, prompts, say } from './chat-page.ts';
import { complaintsOf, expectAccessible, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley({ environment: { PARLEY_BASE_PATH: '/below/it' } });
let page: Page;

describe('the list of conversations', { timeout }, () => {
  it('searches, renames and deletes, all below the path of a proxy', async () => {
    page = await parley.visit({ path: '/below/it/' });
    const complaints = complaintsOf(page);
    const list = page.getByRole('navigation', { name: 'Conversations' });
    await choose(page, 'Notes');
    await say(page, 'What is on my shopping list?');
    await conversation(page).getByText('oat milk', { exact: true }).waitFor();
    await answered(page);
    expect(new URL(page.url()).pathname).toMatch(/^\/below\/it\/chat\//);
    await list.getByRole('link', { name: 'What is on my shopping list?' }).waitFor();
    await list.getByRole('button', { name: 'New conversation' }).click();
    await say(page, 'Hello');
    await conversation(page).getByText('scripted').first().waitFor();
    await answered(page);
    await list.getByRole('link', { name: 'Hello' }).waitFor();

    await list.getByRole('searchbox').fill('oat milk');
    await list.getByRole('link', { name: 'Hello' }).waitFor({ state: 'hidden' });
    await list.getByRole('link', { name: /oat milk/ }).click();
    await conversation(page).getByText('What is on my shopping list?').waitFor();
    // The list keeps its search.
    await expect.poll(() => list.getByRole('searchbox').inputValue()).toBe('oat milk');
    await list.getByRole('searchbox').fill('');

    await list.getByRole('button', { name: 'More options for What is on my shopping list?' }).click();
    await page.getByRole('menuitem', { name: 'Rename' }).click();
    await page.getByLabel('Title').fill('Groceries');
    await page.getByRole('button', { name: 'Rename' }).click();
    await list.getByRole('link', { name: 'Groceries' }).waitFor();
    await page.getByRole('heading', { name: 'Groceries', level: 1 }).waitFor();
    // The focus returns to where it was.
    const more = list.getByRole('button', { name: 'More options for Groceries' });
    await expect.poll(() => more.evaluate((button) => button === document.activeElement)).toBe(true);
    await expectAccessible(page);

    await list.getByRole('button', { name: 'More options for Groceries' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await list.getByRole('link', { name: 'Groceries' }).waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await list.getByRole('button', { name: 'More options for Groceries' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await list.getByRole('link', { name: 'Groceries' }).waitFor({ state: 'hidden' });
    await page.getByRole('heading', { name: /Sebastian/i }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('shows a title before the first answer', async () => {
    page = await parley.visit({ path: '/below/it/' });
    // The prompt never arrives.
    await page.route('**/prompts', () => undefined);
    await say(page, 'Named before it is answered');
    await page.getByRole('link', { name: 'Named before it is answered' }).waitFor();
  });

  it('keeps the conversation that was open before a reload, which starts a new one', async () => {
    page = await parley.visit({ path: '/below/it/', person: 'petra' });
    await page.getByRole('button', { name: 'Summarize my notes' }).click();
    await conversation(page).getByText('In short:').waitFor();
    await answered(page);
    await page.reload();
    await page.getByRole('heading', { name: /Petra/i }).waitFor();
    await expect.poll(() => prompts(page).count()).toBe(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: 'Summarize my notes' }).click();
    await conversation(page).getByText('In short:').waitFor();
    await conversation(page).getByText('Looked through your notes').waitFor();
  });
});

describe('a message with a picture', { timeout }, () => {
  it('is sent again with its picture', async () => {
    page = await parley.visit({ path: '/below/it/' });
    const pixel =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';
    await page
      .getByLabel('Files to attach')
      .setInputFiles({ name: 'dot.png', mimeType: 'image/png', buffer: Buffer.from(pixel, 'base64') });
    await page.getByRole('img', { name: 'dot.png' }).waitFor();
    await say(page, 'What do you see?');
    await page.getByRole('button', { name: 'Ask again' }).click();
    await page.getByRole('group', { name: 'Versions' }).getByText('2 of 2').waitFor();
    await answered(page);
    await expect.poll(() => conversation(page).locator('img').count()).toBe(1);
    await expect.poll(() => prompts(page).count()).toBe(1);
  });
});

describe('a permission', { timeout }, () => {
  it('shows exactly what is asked for, and sends the decision', async () => {
    page = await parley.visit({ path: '/below/it/', viewport: { width: 390, height: 844 } });
    let happen: (event: object) => void = () => undefined;
    await page.routeWebSocket('**/api/live?*', (socket) => {
      const server = socket.connectToServer();
      server.onMessage((message) => {
        socket.send(message);
        const { type, session } = JSON.parse(String(message)) as { type: string; session: string };
        if (type !== 'subscribed') return;
        let count = 0;
        happen = (event) => socket.send(liveEvent(session, event, count++));
        for (const event of asked) happen(event);
      });
    });
    // The page connects when it opens.
    await page.reload();
    const decided: unknown[] = [];
    await page.route('**/permissions/*', async (route) => {
      const decision = route.request().postDataJSON() as object;
      decided.push(decision);
      await route.fulfill({ json: { settled: true } });
      const id = new URL(route.request().url()).pathname.split('/').at(-1);
      happen({ type: 'permission.settled', id, decision });
    });
    await say(page, 'Hello');
    const card = page.getByRole('region', { name: 'Allow linkedin_post?' });
    await card.getByText('Post on LinkedIn?').waitFor();
    await card.getByText('To the world').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Allow once' }).click();
    await card.getByRole('button', { name: 'Allow linkedin_post for this session' }).click();
    await card.getByRole('button', { name: 'Deny' }).click();
    await card.getByLabel('Tell Claude why').fill('Not today');
    await card.getByRole('button', { name: 'Deny' }).click();
    await expect
      .poll(() => decided)
      .toEqual([
        { behavior: 'allow', scope: 'once' },
        { behavior: 'allow', scope: 'session' },
        { behavior: 'deny', message: 'Not today' },
      ]);
  });
});

const turnId = '22222222-2222-4222-8222-222222222222';
const asked = [
  { type: 'turn.started', door: 'http', prompt: [{ type: 'text', text: 'Post it' }] },
  ...['4', '5', '6'].map((digit) => ({
    type: 'permission.asked',
    id: `${digit.repeat(8)}-4444-4444-8444-444444444444`,
    request: { tool: 'linkedin_post', input: { text: 'To the world' }, description: 'Post on LinkedIn?' },
  })),
];

function liveEvent(sessionId: string, event: object, at: number): string {
  const envelope = { seq: 100_000 + at, sessionId, turnId, at: 1, event };
  return JSON.stringify({ type: 'event', envelope });
}
