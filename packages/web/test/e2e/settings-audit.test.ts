// The audit log in the settings: found by person, action and text, in pages, and exported.
import { describe, expect, it } from 'vitest';
import { expectAccessible, patienceMs, phone } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();

describe('the audit log in the settings', { timeout: patienceMs }, () => {
  it('is filtered, shown in pages and exported [team.audit.page]', async () => {
    const page = await parley.visit({ path: '/settings/audit' });
    const labels = Array.from({ length: 60 }, (_, at) => `key ${at}`);
    for (const label of labels) await page.request.post(`${parley.url}/api/keys`, { data: { label } });
    const { request } = await parley.visit({ person: 'petra' });
    await request.post(`${parley.url}/api/keys`, { data: { label: 'of petra' } });
    await page.reload();
    const entries = page.getByRole('list', { name: 'Entries' }).getByRole('listitem');
    await entries.first().getByText('of petra').waitFor();
    await expectAccessible(page);

    await page.getByLabel('Action').selectOption('API key created');
    await page.getByLabel('Person', { exact: true }).selectOption('sebastian');
    await entries.first().getByText('key 59').waitFor();
    expect(await entries.count()).toBe(50);
    await page.getByRole('button', { name: 'Show older entries' }).click();
    await entries.nth(59).waitFor();
    await page.getByLabel('Search', { exact: true }).fill('key 42');
    await expect.poll(() => entries.count()).toBe(1);

    const link = page.getByRole('link', { name: 'Export (JSON Lines)' });
    const exported = await page.request.get((await link.getAttribute('href')) ?? '');
    const lines = (await exported.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { action: 'key.created', person: 'sebastian', subject: 'key 42' },
    ]);
  });

  it('is readable in German and on a phone', async () => {
    const page = await parley.visit({ path: '/settings/audit', viewport: phone, locale: 'de-DE' });
    await page.getByText('API-Schlüssel erstellt').nth(1).waitFor();
    await page.getByLabel('Suchen', { exact: true }).fill('nothing like this');
    await page.getByText('Keine Ergebnisse').waitFor();
    await expectAccessible(page);
  });
});
