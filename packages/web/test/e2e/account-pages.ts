// What tests of accounts do in a browser.
import type { CDPSession, Page } from 'playwright-core';
import { password } from './harness.ts';
import type { RunningParley } from './running-parley.ts';

/** Browsers allow passkeys at this name without TLS. */
export function atLocalhost({ url }: Pick<RunningParley, 'url'>, path: string): string {
  return `${url.replace('127.0.0.1', 'localhost')}${path}`;
}

/** Made by an owner who still uses the family password. */
export async function invitationLink(
  parley: Pick<RunningParley, 'browser' | 'url'>,
  wanted: object,
): Promise<string> {
  const { request } = await parley.browser.newContext();
  await request.post(atLocalhost(parley, '/login'), { data: { password, person: 'sebastian' } });
  const made = await request.post(atLocalhost(parley, '/api/invitations'), { data: wanted });
  return atLocalhost(parley, ((await made.json()) as { path: string }).path);
}

/** In a browser where nobody is logged in. */
export async function strangersPage(
  { browser }: Pick<RunningParley, 'browser'>,
  options: object = {},
): Promise<Page> {
  const page = await (
    await browser.newContext({
      locale: 'en-US',
      reducedMotion: 'reduce',
      serviceWorkers: 'block',
      ...options,
    })
  ).newPage();
  page.setDefaultTimeout(60_000);
  return page;
}

/** Follows an invitation. */
export async function makeAccount(page: Page, link: string, own: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel('New password').fill(own);
  await page.getByRole('button', { name: 'Create my account' }).click();
  await page.locator('header nav').waitFor();
}

export async function logIn(page: Page, address: string, name: string, own: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Password').fill(own);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.locator('header nav').waitFor();
}

/** An authenticator that agrees to everything, as a phone with a fingerprint would. */
export async function addAuthenticator(page: Page): Promise<{ cdp: CDPSession; id: string }> {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, id: authenticatorId };
}
