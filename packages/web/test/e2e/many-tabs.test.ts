// Many tabs of one browser against one server. Browsers open at most six HTTP/1.1 connections to a host, so a page may
// not hold one open: everything live goes through one WebSocket per page.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, say } from './chat-page.ts';
import { beginSession, hear } from './code-pages.ts';
import { patienceMs, secondTab } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
const timeout = 2 * patienceMs;

/** Each tab shows the words before the next one opens. */
async function openTabs(page: Page, count: number, words: string): Promise<Page[]> {
  const tabs: Page[] = [];
  for (let at = 0; at < count; at += 1) {
    const tab = await secondTab(page, page.url());
    await hear(tab, words);
    tabs.push(tab);
  }
  return tabs;
}

async function sendToAll(from: Page, tabs: readonly Page[], words: string): Promise<void> {
  await say(from, words);
  await Promise.all(tabs.map((tab) => hear(tab, words)));
}

describe('twenty tabs of one browser', { timeout }, () => {
  it('load, show what another tab sends, and send', async () => {
    const chat = await parley.visit();
    await say(chat, 'The first in the chat');
    await hear(chat, 'The first in the chat');
    await answered(chat);
    const session = await secondTab(chat, `${parley.url}/code`);
    await beginSession(session, parley, 'The first in the session');
    await hear(session, 'The first in the session');

    const chats = [chat, ...(await openTabs(chat, 9, 'The first in the chat'))];
    const sessions = [session, ...(await openTabs(session, 9, 'The first in the session'))];
    expect(chat.context().pages()).toHaveLength(20);

    await sendToAll(chat, chats, 'To every chat');
    await sendToAll(session, sessions, 'To every session');
    await sendToAll(sessions.at(-1) ?? session, sessions, 'From the last session');
    await sendToAll(chats.at(-1) ?? chat, chats, 'From the last chat');
  });
});
