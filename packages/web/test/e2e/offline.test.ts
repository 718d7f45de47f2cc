// The app without a network, behind a line that the test cuts: it opens, shows what was read before, and nothing of
// anybody else.
import { type BreakableLine, lineTo } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { answered, conversation, say } from './chat-page.ts';
import { beginSession } from './code-pages.ts';
import { complaintsOf, expectAccessible, password, patienceMs, phone, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let line: BreakableLine;
let page: Page;
beforeAll(async () => {
  line = await lineTo(parley.url);
  page = await visit(parley.browser, line, { serviceWorkers: 'allow', viewport: phone });
}, patienceMs);
afterAll(async () => {
  await page?.context().close();
  await line?.close();
}, patienceMs);

/** The paths of what is kept, by the person it belongs to. */
function kept(): Promise<Record<string, string[]>> {
  return page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.startsWith('parley-kept'));
    const entries = names.map(async (name) => {
      const keys = await (await caches.open(name)).keys();
      return [name.split(' ').at(-1), keys.map(({ url }) => new URL(url).pathname)] as const;
    });
    return Object.fromEntries(await Promise.all(entries));
  });
}

function isTakenOver(tab = page): Promise<unknown> {
  return tab.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
}

describe('without a network', { timeout: patienceMs }, () => {
  beforeEach(() => line.repair());

  it('the app opens and shows the last conversations [app.offline.read] [app.offline.shell]', async () => {
    const complaints = complaintsOf(page);
    await isTakenOver();
    await expect.poll(async () => (await kept())['sebastian']).toContain('/api/sessions');
    await say(page, 'What is on my shopping list?');
    await page.waitForURL(/\/chat\//);
    await answered(page);
    const answer = /says:/;
    await conversation(page).getByText(answer).waitFor();
    const id = page.url().split('/').at(-1);
    // The answer came after the conversation was opened, so it is kept when the turn has ended.
    const keptPast = () =>
      page.evaluate(
        async (path) => (await (await caches.match(path))?.text()) ?? '',
        `/api/sessions/${id}/past`,
      );
    await expect.poll(keptPast).toMatch(answer);

    line.cut();
    await page.goto(line.url);
    await page.getByRole('button', { name: 'Show conversations' }).click();
    await page.getByRole('dialog').getByText('What is on my shopping list?').click();
    await conversation(page).getByText(answer).waitFor();
    await page.getByText('Connection lost.').waitFor();
    await expectAccessible(page);
    // A page that was never opened here is there as well: its files were kept with the others.
    await page.goto(`${line.url}/settings/about`);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(complaints).toEqual([]);
    line.repair();
  });

  it('works for a page that loaded past the service worker', async () => {
    await isTakenOver();
    // A page that loads while the service worker starts is not taken over either, but that is hard to time.
    const devtools = await page.context().newCDPSession(page);
    const loaded = page.waitForEvent('load');
    await devtools.send('Page.reload', { ignoreCache: true });
    await loaded;
    const state = () => page.evaluate(() => navigator.serviceWorker.controller?.state);
    await expect.poll(state).toBe('activated');
  });

  it('shows all sessions, even if the list was filtered by project last [app.offline.read]', async () => {
    const wide = await visit(parley.browser, line, { serviceWorkers: 'allow', path: '/code' });
    await isTakenOver(wide);
    await beginSession(wide, line);
    const list = wide.getByRole('list', { name: 'Sessions' });
    const projects = wide.getByLabel('Project');
    await wide.goto(`${line.url}/code/new`);
    const dialog = wide.getByRole('dialog', { name: 'New session' });
    await dialog.getByRole('button', { name: 'Recent folder reading-list', pressed: true }).waitFor();
    await dialog.getByRole('button', { name: 'This folder' }).click();
    await dialog.getByRole('button', { name: 'Start' }).click();
    await wide.waitForURL(/\/code\/[0-9a-f-]{36}$/);
    await expect.poll(() => list.getByRole('link').count()).toBe(2);
    await projects.selectOption('projects');
    await expect.poll(() => list.getByRole('link').count()).toBe(1);
    line.cut();
    await wide.goto(`${line.url}/code`);
    await expect.poll(() => list.getByRole('link').count()).toBe(2);
    await wide.context().close();
    line.repair();
  });

  it('nothing is left of somebody who switched or logged out [app.offline.private]', async () => {
    await page.goto(line.url);
    await expect.poll(async () => Object.keys(await kept())).toEqual(['sebastian']);
    await page.getByRole('button', { name: 'sebastian: person and settings' }).click();
    await page.getByRole('menuitem', { name: 'petra' }).click();
    await page.getByRole('button', { name: 'petra: person and settings' }).waitFor();
    await expect.poll(async () => Object.keys(await kept())).toEqual(['petra']);
    expect((await kept())['petra']?.filter((path) => path.startsWith('/api/sessions/'))).toEqual([]);

    await page.getByRole('button', { name: 'petra: person and settings' }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.getByLabel('Password').waitFor();
    await expect.poll(kept).toEqual({});
    line.cut();
    await page.goto(line.url);
    await page.getByText('Can’t reach the server.').waitFor();
    line.repair();
    await page.goto(line.url);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'sebastian', exact: true }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect((await kept())['petra']).toBeUndefined();
  });

  it('a new version takes over, and pages of the old one still find their files [app.offline.upgrade]', async () => {
    // What an upgrade leaves behind: the files of the version before, and of one before that.
    const shells = () =>
      page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('parley-shell')));
    const [current = ''] = await shells();
    await page.evaluate(async (name) => {
      for (const registration of await navigator.serviceWorker.getRegistrations())
        await registration.unregister();
      await caches.delete(name);
      for (const version of ['oldest', 'old']) {
        const cache = await caches.open(`parley-shell / ${version}`);
        await cache.put(`/assets/${version}.js`, new Response(`// ${version}`));
        await cache.put(
          '/',
          new Response('<p>an old page</p>', { headers: { 'content-type': 'text/html' } }),
        );
      }
    }, current);
    await page.goto(line.url);
    await isTakenOver();
    await expect.poll(shells).toEqual(['parley-shell / old', current]);
    const status = (file: string) => page.evaluate(async (path) => (await fetch(path)).status, file);
    expect([await status('/assets/old.js'), await status('/assets/oldest.js')]).toEqual([200, 404]);
    line.cut();
    await page.goto(line.url);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    line.repair();
  });
});
