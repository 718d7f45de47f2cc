// A connection that breaks during an answer, and an answer of 5,000 pieces. The test plays the model.
import { type BreakableLine, createGate, lineTo, reply, say as speak, wait } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answered, composer, conversation, prompts, say } from './chat-page.ts';
import { patienceMs, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley({ scripted: true });
let line: BreakableLine;
let page: Page;
beforeAll(async () => {
  line = await lineTo(parley.url);
}, timeout);
afterAll(() => line?.close(), timeout);

describe('a broken connection', { timeout }, () => {
  it('is reported, and nothing is missing when it is back [kitchen.ui.reconnect]', async () => {
    page = await visit(parley.browser, line);
    const [middle, end] = [createGate(), createGate()];
    const numbers = (from: number) => Array.from({ length: 20 }, (_, at) => `n${from + at} `);
    parley.model.enqueue(
      reply(
        speak(...numbers(0)),
        wait(middle.opened),
        speak(...numbers(20)),
        wait(end.opened),
        speak('Over.'),
      ),
    );
    await say(page, 'Count while the line breaks');
    await conversation(page).getByText('n19').waitFor();
    line.cut();
    await page.getByText('Connection lost.').waitFor();
    middle.open();
    // A message sent meanwhile waits for the connection.
    await say(page, 'Sent without a line');
    await conversation(page).getByText('Waiting for the connection').waitFor();
    line.repair();
    await conversation(page).getByText('n39').waitFor();
    await page.getByText('Connection lost.').waitFor({ state: 'hidden' });
    await page.getByRole('region', { name: 'Queued messages' }).getByText('Sent without a line').waitFor();
    parley.model.enqueue(reply('Answered after all.'));
    end.open();
    await conversation(page).getByText('Answered after all.').waitFor();
    const expected = `${[...numbers(0), ...numbers(20)].join('')}Over.`;
    const counted = conversation(page).locator('p', { hasText: 'n0' });
    await expect.poll(() => counted.textContent()).toBe(expected);
    await expect.poll(() => prompts(page).count()).toBe(2);
    await page.context().close();
  });
});

describe('an answer of 5,000 pieces', { timeout }, () => {
  it('leaves the page usable while it streams in [kitchen.ui.responsive]', async () => {
    page = await parley.visit();
    const gate = createGate();
    const pieces = Array.from({ length: 5_000 }, (_, at) => (at % 40 === 39 ? `w${at}\n\n` : `w${at} `));
    parley.model.enqueue(
      reply(speak('Begin.\n\n'), wait(gate.opened), speak(...pieces), speak('End of it.')),
    );
    await say(page, 'Tell me everything');
    await conversation(page).getByText('Begin.').waitFor();
    await page.evaluate(watchLongTasks);
    const begin = performance.now();
    gate.open();
    await composer(page).pressSequentially('typed meanwhile');
    await expect.poll(() => composer(page).inputValue()).toBe('typed meanwhile');
    await conversation(page).getByText('End of it.').waitFor();
    await answered(page);
    const tookMs = performance.now() - begin;
    const text = await conversation(page).textContent();
    for (const at of [0, 2_499, 4_999]) expect(text).toContain(`w${at}`);
    // The benchmark measures this on a quiet machine. Even a busy one, where everything takes longer, must not freeze.
    expect(await page.evaluate(longestTask)).toBeLessThan(Math.max(1_000, tookMs / 4));
  });
});

function watchLongTasks(): void {
  const seen: number[] = [];
  Object.assign(globalThis, { longTasks: seen });
  new PerformanceObserver((list) => seen.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  });
}

function longestTask(): number {
  const { longTasks } = globalThis as unknown as { longTasks: number[] };
  return Math.max(0, ...longTasks);
}
