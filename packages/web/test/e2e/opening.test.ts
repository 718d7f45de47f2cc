// What people see before the app has loaded, and at addresses that don't exist.
import { describe, expect, it } from 'vitest';
import { expectAccessible, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

describe('opening the app', { timeout: patienceMs }, () => {
  const parley = runningParley();

  it('shows its mark while a slow link loads the app', async () => {
    const page = await parley.visit();
    await page.route('**/*.js', () => undefined);
    await page.goto(`${parley.url}/overview`, { waitUntil: 'commit' });
    await page.getByRole('img', { name: 'Parley' }).waitFor();
    expect(await page.getByRole('navigation').count()).toBe(0);
    await page.unroute('**/*.js');
    await page.goto(`${parley.url}/overview`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(await page.getByRole('img', { name: 'Parley' }).count()).toBe(0);
  });

  it.each([
    { locale: 'en-US', words: /^Parley hasn't loaded\./ },
    { locale: 'de-DE', words: /^Parley wurde nicht geladen\./ },
  ])('says what to do if the app does not load ($locale)', async ({ locale, words }) => {
    const page = await parley.visit({ locale });
    await page.route('**/*.js', (route) => route.fulfill({ status: 429 }));
    await page.goto(`${parley.url}/overview`);
    const hint = page.getByText(words);
    expect(await hint.isVisible()).toBe(false);
    // As if the time had passed.
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation instanceof CSSAnimation && animation.animationName === 'slow') animation.finish();
    });
    await hint.waitFor();
    expect(
      await page
        .getByText(/^Parley (?:hasn't|wurde)/)
        .filter({ visible: true })
        .count(),
    ).toBe(1);
    await page.unroute('**/*.js');
    await hint.getByRole('link').click();
    await page.locator('nav').first().waitFor();
  });

  it('brings its own font', async () => {
    const page = await parley.visit();
    const loaded = () =>
      page.evaluate(() =>
        [...document.fonts].some((font) => font.family.includes('Inter') && font.status === 'loaded'),
      );
    await expect.poll(loaded).toBe(true);
  });

  it.each(['/chat', '/chat/'])('opens a new conversation at %s', async (path) => {
    const page = await parley.visit({ path });
    await page.getByRole('textbox', { name: 'Message' }).waitFor();
  });

  it.each(['/nothing', '/chat/one/two', '/code/one/two'])(
    'says that there is nothing at %s',
    async (path) => {
      const page = await parley.visit();
      await page.goto(`${parley.url}${path}`);
      await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
      await expectAccessible(page);
      await page.getByRole('link', { name: /Back to Parley|Start a new conversation/ }).click();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
    },
  );
});

describe('with the limits that are set by default', { timeout: patienceMs }, () => {
  const parley = runningParley({ config: { limits: {} } });

  it('a family opens the app on new devices within a minute [app.new-devices]', async () => {
    const statuses: number[] = [];
    for (let device = 0; device < 6; device += 1) {
      const page = await parley.visit({ serviceWorkers: 'allow' });
      page.context().on('response', (response) => statuses.push(response.status()));
      await page.reload();
      await page.getByRole('textbox', { name: 'Message' }).waitFor();
      await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    }
    expect(statuses.length).toBeGreaterThan(6);
    expect(statuses.filter((status) => status >= 400)).toEqual([]);
  });
});
