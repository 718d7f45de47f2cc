// The way in and out: the login form, the person, the logout button.
import { describe, expect, it } from 'vitest';
import { expectAccessible, password, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

describe('a browser without a login', { timeout: patienceMs }, () => {
  it('is shown the login form, and after the family password the page that it wanted [kitchen.auth.login-form] [kitchen.auth.login]', async () => {
    const page = await (await parley.browser.newContext({ locale: 'en-US' })).newPage();
    const answer = await page.goto(`${parley.url}/overview`);
    expect(answer?.status()).toBe(401);
    await expectAccessible(page);

    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').textContent()).toBe('That is not the family password.');
    expect(await page.context().cookies()).toEqual([]);

    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByRole('heading', { name: 'Who’s using Parley?' }).waitFor();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'petra' }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/overview');
    await page.context().close();
  });
});

describe('the logout button', { timeout: patienceMs }, () => {
  it('is in the header, posts to /logout and leads to the login form [kitchen.logout.button] [kitchen.logout.click]', async () => {
    const page = await parley.visit();
    const posted = page.waitForRequest((request) => new URL(request.url()).pathname === '/logout');
    await page.getByRole('banner').getByRole('button', { name: 'Log out' }).click();
    expect((await posted).method()).toBe('POST');
    await page.getByLabel('Password').waitFor();
    expect((await page.request.get(`${parley.url}/api/me`)).status()).toBe(401);
  });
});
