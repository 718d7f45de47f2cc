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

  it('brings its own font', async () => {
    const page = await parley.visit();
    const loaded = () =>
      page.evaluate(() =>
        [...document.fonts].some((font) => font.family.includes('Inter') && font.status === 'loaded'),
      );
    await expect.poll(loaded).toBe(true);
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
