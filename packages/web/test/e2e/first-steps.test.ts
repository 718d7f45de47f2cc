// The first steps on a fresh home: from the demo to the real service, with people and a folder.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AnthropicStandIn, startAnthropicStandIn } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  complaintsOf,
  expectAccessible,
  openBrowser,
  type Parley,
  password,
  patienceMs,
  phone,
  secretKey,
  startParley,
  visit,
} from './harness.ts';

let api: AnthropicStandIn;
let parley: Parley;
let page: Page;
let complaints: readonly string[];
const own = 'seven wandering otters';
const card = (name: string) => page.getByRole('region', { name, exact: true });
const current = () => page.locator('[aria-current="step"]').innerText();

beforeAll(async () => {
  api = await startAnthropicStandIn();
  parley = await startParley({ fresh: true, environment: { ANTHROPIC_BASE_URL: api.url } });
  page = await visit(await openBrowser(), parley);
  complaints = complaintsOf(page);
}, patienceMs);
afterAll(async () => {
  await page.context().browser()?.close();
  await parley.stop();
  await api.close();
}, patienceMs);

describe('first steps', { timeout: patienceMs }, () => {
  it('lead out of the demo, with a key that is never shown again [app.first-steps.page] [app.first-steps.safe]', async () => {
    await expectAccessible(page);
    await card('Set up Parley in three steps').getByRole('link', { name: 'Set up' }).press('Enter');
    await page.getByRole('heading', { name: 'Set up Parley', level: 1 }).waitFor();
    expect(await current()).toContain('Connect Claude');
    await expectAccessible(page);
    // What is set up in the demo would be lost.
    await page.goto(`${parley.url}/setup/folder`);
    await page.waitForURL(/\/setup\/claude$/);

    await page.setViewportSize(phone);
    await page.getByLabel('Anthropic API key').fill(secretKey);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await card('Protect my account').waitFor();
    expect(await current()).toContain('People');
    expect(await page.content()).not.toContain(secretKey);
  });

  it('make an account, and are resumed where they were left [app.first-steps.page]', async () => {
    await card('Protect my account').getByLabel('New password').fill(own);
    await page.getByRole('button', { name: 'Protect with a password' }).click();
    await card('Name').waitFor();
    await card('Invite someone').waitFor();
    await expectAccessible(page);
    await page.goto(`${parley.url}/`);
    await card('Finish setting up Parley').getByRole('link', { name: 'Continue' }).click();
    await page.waitForURL(/\/setup\/folder$/);
  });

  it('let Claude Code work in a folder, and then are over [app.first-steps.page]', async () => {
    const folder = join(parley.home, 'projects');
    mkdirSync(folder);
    const roots = card('Where Claude Code may work');
    await roots.getByRole('button', { name: 'Edit' }).click();
    await roots.getByRole('textbox', { name: 'Folder' }).fill(folder);
    await roots.getByRole('button', { name: 'Save' }).click();
    await roots.getByRole('heading', { name: folder }).waitFor();
    await card('Your notes').getByText(`${parley.home}/notes/me`).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Done', exact: true }).click();
    await page.getByRole('radiogroup', { name: 'Choose an assistant' }).waitFor();
    await page.reload();
    await page.getByRole('radiogroup', { name: 'Choose an assistant' }).waitFor();
    expect(await page.getByText('Finish setting up Parley').count()).toBe(0);
    // Nobody is called Me.
    await page.getByRole('heading', { level: 1, name: /^(?:Hello|Good \w+)$/ }).waitFor();
    expect(complaints).toEqual([]);
  });
});
