// The recipe panel: next to the chat and over it, loading, scaling, ticking off, timers, links.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, choose, composer, conversation, recipePanel, say } from './chat-page.ts';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const parley = runningParley();
let page: Page;

async function showCrumble(): Promise<void> {
  await choose(page, 'Kitchen');
  await say(page, 'Show me the Apple Crumble');
}

describe('a recipe shown by the assistant', { timeout }, () => {
  it('opens a loading panel at once, fetches with the login, and then shows the recipe [kitchen.ui.recipe-panel] [kitchen.ui.panel-loading-at-once] [kitchen.ui.panel-fetch]', async () => {
    page = await parley.visit();
    let fetched: Promise<Record<string, string>> | undefined;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/api/recipes/*', async (route) => {
      fetched = route.request().allHeaders();
      await held;
      await route.continue();
    });
    await showCrumble();
    await recipePanel(page).getByRole('status', { name: 'Loading recipe' }).waitFor();
    await expectAccessible(page);
    expect((await fetched)?.['cookie']).toContain('rv_session=');
    release();
    await recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
    await answered(page);
    await conversation(page).getByText('Here is Apple Crumble.').waitFor();
    await expectAccessible(page);
  });

  it('is next to the chat from 768 px on, and over it below, where closing it brings the chat back [kitchen.ui.panel-beside] [kitchen.ui.panel-over] [kitchen.ui.panel-close]', async () => {
    page = await parley.visit({ viewport: { width: 768, height: 1_000 } });
    await showCrumble();
    await recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
    await answered(page);
    const boxOf = async (locator: ReturnType<typeof composer>) => {
      const box = await locator.boundingBox();
      if (!box) throw new Error('it is not visible');
      return box;
    };
    const chat = await boxOf(composer(page));
    const beside = await boxOf(recipePanel(page));
    expect(chat.x + chat.width).toBeLessThanOrEqual(beside.x);
    expect(chat.width).toBeGreaterThan(200);

    await page.setViewportSize({ width: 767, height: 1_000 });
    await expect.poll(async () => (await boxOf(recipePanel(page))).width).toBe(767);
    await page.setViewportSize(phone);
    await expect.poll(() => composer(page).isVisible()).toBe(false);
    await expectAccessible(page);
    await recipePanel(page).getByRole('button', { name: 'Close recipe' }).click();
    await composer(page).waitFor();
    expect(await recipePanel(page).count()).toBe(0);
    await conversation(page)
      .getByRole('button', { name: /Apple Crumble/ })
      .click();
    await recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
  });

  it('is closed by Back on a phone, as is the list of conversations', async () => {
    page = await parley.visit({ viewport: phone, hasTouch: true, isMobile: true });
    await showCrumble();
    await recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
    const at = () => new URL(page.url()).pathname;
    await expect.poll(at).toMatch(/^\/chat\//);
    const chat = at();
    await page.goBack();
    await recipePanel(page).waitFor({ state: 'hidden' });
    await answered(page);
    expect(at()).toBe(chat);
    const card = conversation(page).getByRole('button', { name: /Apple Crumble/ });
    await card.tap();
    await recipePanel(page).getByRole('button', { name: 'Close recipe' }).tap();
    await recipePanel(page).waitFor({ state: 'hidden' });

    const list = page.getByRole('dialog', { name: 'Conversations' });
    const show = page.getByRole('button', { name: 'Show conversations' });
    await show.tap();
    await list.waitFor();
    await page.goBack();
    await list.waitFor({ state: 'hidden' });
    expect(at()).toBe(chat);
    await show.tap();
    await list.getByRole('button', { name: 'New conversation' }).tap();
    await list.waitFor({ state: 'hidden' });
    await expect.poll(at).toBe('/');
    await page.goBack();
    await expect.poll(at).toBe(chat);
    await show.tap();
    await list.getByRole('button', { name: 'Close' }).tap();
    await list.waitFor({ state: 'hidden' });
    expect(at()).toBe(chat);
  });

  it('says that the recipe was not found, and stays open [kitchen.ui.panel-not-found]', async () => {
    page = await parley.visit({ path: '/?recipe=no-such-recipe' });
    await recipePanel(page).getByRole('heading', { name: 'Recipe not found' }).waitFor();
    await say(page, 'Hello');
    await answered(page);
    await expectAccessible(page);
    await page.goto(`${parley.url}/recipes/no-such-recipe`);
    await page.getByRole('heading', { name: 'Recipe not found' }).waitFor();
  });
});

describe('cooking from a recipe', { timeout }, () => {
  it('scales, ticks off and times, on a page that can be linked to and printed', async () => {
    page = await parley.visit();
    const recipes = (await (await page.request.get(`${parley.url}/api/recipes`)).json()) as {
      id: string;
      title: string;
    }[];
    const soup = recipes.find(({ title }) => title === 'Roasted Tomato Soup');
    await page.goto(`${parley.url}/recipes/${soup?.id}`);
    await page.getByRole('heading', { name: 'Roasted Tomato Soup' }).waitFor();
    const salt = page.getByRole('listitem').filter({ hasText: /salt$/ }).first();
    await expect.poll(() => salt.textContent()).toContain('1 tsp');
    for (let times = 0; times < 2; times += 1)
      await page.getByRole('button', { name: 'Fewer servings' }).click();
    await expect.poll(() => salt.textContent()).toContain('½ tsp');
    await expect
      .poll(() => page.getByRole('group', { name: 'Servings' }).textContent())
      .toContain('2 servings');

    await salt.getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Start timer (40 min)' }).click();
    const timers = page.getByRole('list', { name: 'Kitchen timers' });
    await expect.poll(() => timers.getByRole('timer').textContent()).toMatch(/^(40:00|39:\d\d)$/);
    await expectAccessible(page);

    await page.getByRole('link', { name: 'Chat', exact: true }).click();
    await composer(page).waitFor();
    await timers.getByRole('timer').waitFor();
    await timers.getByRole('link', { name: 'Roasted Tomato Soup, step 3' }).click();
    await expect.poll(() => salt.getByRole('checkbox').isChecked()).toBe(true);
    await timers.getByRole('button', { name: /^Stop timer/ }).click();
    await timers.waitFor({ state: 'hidden' });

    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('banner').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Fewer servings' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Roasted Tomato Soup' }).isVisible()).toBe(true);
  });
});
