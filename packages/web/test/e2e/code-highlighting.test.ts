// Code in an answer: the text is there at once, the colors come from a worker, also below the path of a proxy.
import { createGate, reply, say as speak, wait } from '@parley/stand-ins';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, conversation, say } from './chat-page.ts';
import { complaintsOf, expectAccessible, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const path = '/below/it';
const parley = runningParley({ scripted: true, environment: { PARLEY_BASE_PATH: path } });
let page: Page;

describe('code in an answer', { timeout }, () => {
  it('is there before its colors, and does not move when they arrive', async () => {
    page = await parley.visit({ path: `${path}/` });
    const complaints = complaintsOf(page);
    const gate = createGate();
    await page.route('**/highlight-worker*', async (route) => {
      await gate.opened;
      await route.continue();
    });
    parley.model.enqueue(
      reply('```ts\nconst answer = "forty-two"; // words\n\nexport { answer };\n```\n\nThat is all.'),
    );
    await say(page, 'Show me some code');
    await answered(page);
    await conversation(page).getByText('That is all.').waitFor();
    const code = conversation(page).locator('code');
    const words = 'const answer = "forty-two"; // words\n\nexport { answer };';
    expect(await code.textContent()).toBe(words);
    expect((await colorsIn(code)).size).toBe(1);
    const box = conversation(page).locator('pre');
    const before = await box.boundingBox();

    gate.open();
    await expect.poll(async () => (await colorsIn(code)).size).toBeGreaterThan(2);
    expect(await box.boundingBox()).toEqual(before);
    expect(await code.textContent()).toBe(words);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.locator(`html[data-theme="${colorScheme}"]`).waitFor();
      await expectAccessible(page);
    }
    expect(complaints).toEqual([]);
  });

  it('keeps its colors while more of it is written', async () => {
    page = await parley.visit({ path: `${path}/` });
    const gate = createGate();
    parley.model.enqueue(
      reply(
        speak('```js\nlet one = "1";\nlet'),
        wait(gate.opened),
        speak(' two = "2";\n'),
        speak('```\n\nDone.'),
      ),
    );
    await say(page, 'Show me two lines');
    const code = conversation(page).locator('code');
    await expect.poll(async () => (await colorsIn(code)).size).toBeGreaterThan(2);
    gate.open();
    await conversation(page).getByText('Done.').waitFor();
    await expect.poll(() => code.textContent()).toBe('let one = "1";\nlet two = "2";');
    const second = code.locator('> span').nth(1);
    await expect.poll(async () => (await colorsIn(second)).size).toBeGreaterThan(2);
  });
});

async function colorsIn(part: Locator): Promise<Set<string>> {
  const colors = await part
    .locator('span:not(:has(span))')
    .evaluateAll((tokens) => tokens.map((token) => getComputedStyle(token).color));
  return new Set(colors);
}
