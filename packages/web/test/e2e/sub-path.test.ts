// The whole app below the path of a reverse proxy, next to other things on one host.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answered, choose, conversation, recipePanel, say } from './chat-page.ts';
import { beginSession, hear } from './code-pages.ts';
import { complaintsOf, password, patienceMs, secondTab, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';
import { proxyBelow, type SubPathProxy } from './sub-path-proxy.ts';

const parley = runningParley({ config: { basePath: '/parley', trustedProxies: ['127.0.0.1'] } });
/** The server as the browser sees it. */
let proxy: SubPathProxy;
let page: Page;
beforeAll(async () => {
  proxy = await proxyBelow('/parley', parley.url);
  page = await visit(parley.browser, proxy);
}, patienceMs);
afterAll(async () => {
  await page?.context().close();
  await proxy?.close();
}, patienceMs);

describe('below the path of a reverse proxy', { timeout: patienceMs }, () => {
  it('a chat streams, shows a recipe, and is found again by its address', async () => {
    const complaints = complaintsOf(page);
    await choose(page, 'Kitchen');
    await say(page, 'Show me the Apple Crumble');
    await answered(page);
    await recipePanel(page).getByRole('heading', { name: 'Apple Crumble' }).waitFor();
    expect(page.url()).toMatch(/\/parley\/chat\//);
    const tab = await secondTab(page, page.url());
    await conversation(tab).waitFor();
    await tab.close();
    expect(complaints).toEqual([]);
  });

  it('a Claude Code session runs, and its terminal opens', async () => {
    await beginSession(page, proxy, 'Run date');
    await hear(page, /printed:/);
    await page.getByRole('button', { name: 'Open in the terminal' }).click();
    await page.locator('.xterm-accessibility-tree').getByText('Claude Code').first().waitFor();
  });

  it('the app can be installed: its manifest and its icons are there', async () => {
    const manifest = await page.locator('link[rel=manifest]').evaluate((link: HTMLLinkElement) => link.href);
    const { start_url, scope, icons } = await (await page.request.get(manifest)).json();
    for (const address of [start_url, scope]) expect(new URL(address, manifest).pathname).toBe('/parley/');
    for (const { src } of icons)
      expect((await page.request.get(new URL(src, manifest).href)).status()).toBe(200);
  });

  it('logging out leads to the login page and in again, and no request ever left the path', async () => {
    await page.goto(`${proxy.url}/overview`);
    await page.getByRole('button', { name: 'Log out' }).first().click();
    await page.getByLabel('Password').waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/parley\//);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('button', { name: 'sebastian', exact: true }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(new URL(page.url()).pathname).toMatch(/^\/parley\//);
    expect(proxy.strays).toEqual([]);
  });
});
