// The card of the identity provider in "My account", with a real provider: linking, logging in with it, unlinking.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type IdentityProvider,
  startIdentityProvider,
} from '../../packages/server/test/doors/http/identity-provider.ts';
import { invitationLink, makeAccount, strangersPage } from '../../packages/web/test/e2e/account-pages.ts';
import {
  complaintsOf,
  expectAccessible,
  openBrowser,
  type Parley,
  patienceMs,
  startParley,
} from '../../packages/web/test/e2e/harness.ts';

let provider: IdentityProvider;
let parley: Parley & { readonly browser: Awaited<ReturnType<typeof openBrowser>> };

beforeAll(async () => {
  provider = await startIdentityProvider();
  const openid = { issuer: provider.issuer, clientId: 'parley', name: 'Example ID' };
  const [started, browser] = await Promise.all([startParley({ config: { openid } }), openBrowser()]);
  parley = { ...started, browser };
  provider.serve({ callback: `${parley.url.replace('127.0.0.1', 'localhost')}/login/openid/callback` });
}, patienceMs);
afterAll(async () => {
  await parley.browser.close();
  await parley.stop();
  await provider.close();
}, patienceMs);

/** Logs in at the provider, and lets Parley know who it is. */
async function logInAtProvider(page: Awaited<ReturnType<typeof strangersPage>>): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill('mia-at-example');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

describe('the identity provider', { timeout: patienceMs }, () => {
  it('is linked in the settings, logs in, and is unlinked [team.app.openid]', async () => {
    const page = await strangersPage(parley);
    const complaints = complaintsOf(page);
    const link = await invitationLink(parley, { name: 'mia' });
    await makeAccount(page, link, 'seven wandering otters');
    const settings = new URL('/settings/account', page.url()).href;
    await page.goto(settings);
    const card = page.getByRole('region', { name: 'Example ID' });
    await card.getByText('not linked').waitFor();
    await expectAccessible(page);
    await card.getByRole('button', { name: 'Link' }).click();
    await logInAtProvider(page);
    await card.getByText('You can log in with Example ID.').waitFor();
    await expectAccessible(page);

    await page.context().clearCookies({ name: /rv_session/ });
    await page.goto(settings);
    await page.getByRole('link', { name: 'Continue with Example ID' }).click();
    await card.getByText('You can log in with Example ID.').waitFor();

    await card.getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unlink' }).click();
    await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
    expect(complaints).toEqual([]);
  });
});
