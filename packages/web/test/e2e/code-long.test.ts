// A long session that was begun elsewhere: it opens at its end, and reads back to its beginning as one scrolls.
import { randomUUID } from 'node:crypto';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conversation, hear } from './code-pages.ts';
import { openBrowser, type Parley, patienceMs, startParley, visit } from './harness.ts';

const messages = 10_000;
const id = randomUUID();
let parley: Parley;
let browser: Browser;
let page: Page;
beforeAll(async () => {
  [parley, browser] = await Promise.all([startParley(), openBrowser()]);
  writeTranscript();
  page = await visit(browser, parley, { path: `/code/${id}` });
}, patienceMs);
afterAll(async () => {
  await browser?.close();
  await parley?.stop();
}, patienceMs);

/** As the program keeps it: a prompt, a call, its result and an answer, over and over. */
function writeTranscript(): void {
  const cwd = realpathSync(join(parley.home, 'demo', 'projects', 'reading-list'));
  const folder = join(
    parley.home,
    'demo',
    'claude-home',
    '.claude',
    'projects',
    cwd.replaceAll(/[^a-zA-Z0-9]/g, '-'),
  );
  mkdirSync(folder, { recursive: true });
  let parentUuid: string | null = null;
  const lines = Array.from({ length: messages }, (_, at) => {
    const uuid = randomUUID();
    const timestamp = new Date(Date.UTC(2026, 0, 1) + at * 1_000).toISOString();
    const line = {
      parentUuid,
      isSidechain: false,
      uuid,
      timestamp,
      cwd,
      sessionId: id,
      version: '2.1.325',
      ...turnLine(at),
    };
    parentUuid = uuid;
    return JSON.stringify(line);
  });
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
}

function turnLine(at: number): object {
  const turn = Math.floor(at / 4);
  const call = `toolu_${String(turn).padStart(24, '0')}`;
  const assistant = (block: object) => ({
    type: 'assistant',
    message: {
      id: `msg_${at}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content: [block],
    },
  });
  const user = (content: unknown) => ({ type: 'user', message: { role: 'user', content } });
  switch (at % 4) {
    case 0:
      return user(`Prompt number ${turn}`);
    case 1:
      return assistant({ type: 'tool_use', id: call, name: 'Bash', input: { command: `echo ${turn}` } });
    case 2:
      return user([{ type: 'tool_result', tool_use_id: call, content: `${turn}\n`.repeat((turn % 9) + 1) }]);
    default:
      return assistant({
        type: 'text',
        text: `Answer number ${turn}, with **words**.\n\n- one\n- two`.repeat((turn % 3) + 1),
      });
  }
}

describe('a session of ten thousand messages', { timeout: patienceMs }, () => {
  it('opens at its end, and draws only what one can see', async () => {
    await hear(page, 'Prompt number 2499');
    expect(await conversation(page).locator('[data-index]').count()).toBeLessThan(60);
  });

  it('stays where one reads while older messages come in above', async () => {
    const rows = () =>
      conversation(page)
        .locator('[data-index]')
        .evaluateAll((elements) =>
          elements.map((element) => ({
            text: element.textContent,
            top: element.getBoundingClientRect().top,
          })),
        );
    /** Rows that are drawn for the first time take a moment to find their place. */
    const settledRows = async () => {
      let before = await rows();
      let same = 0;
      await expect
        .poll(
          async () => {
            const last = JSON.stringify(before);
            before = await rows();
            same = JSON.stringify(before) === last ? same + 1 : 0;
            return same;
          },
          { timeout: 10_000, interval: 60 },
        )
        .toBeGreaterThan(4);
      return before;
    };
    await conversation(page).hover();
    for (let step = 0; step < 12; step += 1) {
      const seen = (await settledRows()).find(({ top }) => top > 250);
      await page.mouse.wheel(0, -200);
      await expect
        .poll(
          async () => {
            const now = (await rows()).find(({ text }) => text === seen?.text);
            return Math.round((now?.top ?? 0) - (seen?.top ?? 0));
          },
          { timeout: 10_000 },
        )
        .toBeOneOf([199, 200, 201]);
    }
  });

  it('reads back to its first message', async () => {
    await conversation(page).focus();
    await expect
      .poll(
        async () => {
          await conversation(page).press('Home');
          return conversation(page).getByText('Prompt number 0', { exact: true }).count();
        },
        { timeout: 100_000, interval: 100 },
      )
      .toBe(1);
    expect(await conversation(page).locator('[data-index]').count()).toBeLessThan(60);
  });

  it('goes to its end again', async () => {
    await page.getByRole('button', { name: 'Go to the end' }).click();
    await hear(page, 'Prompt number 2499');
  });
});
