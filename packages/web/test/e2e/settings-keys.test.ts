// API keys in the settings: make one, use it, revoke it.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { answered, say } from './chat-page.ts';
import { complaintsOf, expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

async function make(page: Page, label: string, choose: () => Promise<void> = async () => {}) {
  await page.getByRole('button', { name: 'New key' }).click();
  const dialog = page.getByRole('dialog', { name: 'New API key' });
  await dialog.getByLabel('Label').fill(label);
  await choose();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Create key' }).click();
  const card = page.getByRole('region', { name: `Your new key “${label}”` });
  await card.waitFor();
  const [secret = '', example = ''] = await card.locator('pre').allTextContents();
  return { secret, example };
}

async function revoke(page: Page, label: string): Promise<void> {
  await page.getByRole('button', { name: `Revoke ${label}` }).click();
  const dialog = page.getByRole('dialog', { name: `Revoke “${label}”?` });
  await dialog.getByText('Programs that use this key will be disconnected').waitFor();
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

const using = (secret: string, path: string) =>
  fetch(parley.url + path, { headers: { 'x-api-key': secret } });

describe('API keys in the settings', { timeout: patienceMs }, () => {
  it('are made, used and revoked, which ends what is open with them [team.key.page]', async () => {
    const page = await parley.visit();
    const complaints = complaintsOf(page);
    await say(page, 'Hello');
    await page.waitForURL(/\/chat\//);
    await answered(page);
    const session = page.url().split('/').at(-1);
    await page.goto(`${parley.url}/settings/keys`);
    await page.getByText('No keys yet.').waitFor();
    const { secret, example } = await make(page, 'A script');
    expect(example).toContain(`curl -s '${parley.url}/api/claude/chat'`);
    expect(example).toContain(`X-API-Key: ${secret}`);
    expect(await (await using(secret, '/api/me')).json()).toMatchObject({ person: 'sebastian' });

    const stream = await using(secret, `/api/sessions/${session}/events`);
    expect(stream.status).toBe(200);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect.poll(() => page.getByText(secret).count()).toBe(0);
    await revoke(page, 'A script');
    // Ends only because the key is gone.
    await stream.text().catch(() => undefined);
    expect((await using(secret, '/api/me')).status).toBe(401);
    await page.getByText('No keys yet.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('say what they may do, and for whom, on a phone too', async () => {
    const page = await parley.visit({ path: '/settings/keys', viewport: phone });
    const { secret, example } = await make(page, 'A screen in the kitchen', async () => {
      await page.getByLabel('Acts for').selectOption('petra');
      await page.getByLabel('All, including those added later').uncheck();
      await page.getByLabel('Notes').uncheck();
      await page.getByRole('checkbox', { name: 'Claude Code' }).uncheck();
      await page.getByLabel('Read-only').check();
      await page.getByLabel('Expires').selectOption('In 30 days');
    });
    expect(example).toContain('/api/sessions');
    expect(await (await using(secret, '/api/me')).json()).toMatchObject({ person: 'petra' });
    const row = page.getByRole('listitem').filter({ hasText: 'A screen in the kitchen' });
    for (const fact of ['Read-only', 'For petra · Kitchen', 'Expires on'])
      await row.getByText(fact).waitFor();
    await expectAccessible(page);
    const response = await page.request.get(`${parley.url}/api/keys`);
    expect(await response.json()).toMatchObject({
      keys: [{ for: 'petra', assistants: ['kitchen'], readOnly: true, createdBy: 'sebastian' }],
    });
  });

  it('keep what was typed when the server can’t be reached', async () => {
    const page = await parley.visit({ path: '/settings/keys', locale: 'de-DE' });
    await page.getByRole('button', { name: 'Neuer Schlüssel' }).click();
    const label = page.getByLabel('Bezeichnung');
    await label.fill('Ein Skript');
    await page.route('**/api/keys', (route) => route.abort(), { times: 1 });
    await page.getByRole('button', { name: 'Schlüssel erstellen' }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => label.inputValue()).toBe('Ein Skript');
    await page.getByRole('button', { name: 'Schlüssel erstellen' }).click();
    await page.getByRole('region', { name: 'Dein neuer Schlüssel „Ein Skript“' }).waitFor();
  });
});
