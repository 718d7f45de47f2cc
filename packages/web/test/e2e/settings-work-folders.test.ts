// The section "Work folders" of the settings: where Claude Code may work, with which sandbox, and for whom.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { complaintsOf, expectAccessible, patienceMs } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley({ hasOwner: true });
const card = (page: Page) => page.getByRole('region', { name: 'Where Claude Code may work' });

async function rootsOf(page: Page): Promise<readonly string[]> {
  const answer = await page.request.get(`${parley.url}/api/work-folders`);
  return ((await answer.json()) as { folders: { path: string }[] }).folders.map(({ path }) => path);
}

describe('work folders', { timeout: patienceMs }, () => {
  it('are added for some people, with a sandbox, count at once, and are removed [team.settings.page.work-folders]', async () => {
    const folder = join(parley.home, 'garden');
    mkdirSync(folder);
    const page = await parley.visit({ path: '/settings/work-folders' });
    const petra = await parley.visit({ person: 'petra' });
    const complaints = complaintsOf(page);
    const before = await rootsOf(page);
    await card(page).getByRole('button', { name: 'Edit' }).click();
    await card(page).getByRole('button', { name: 'Add a folder' }).click();
    const added = card(page).getByRole('group', { name: 'New folder' });
    await added.getByLabel('Folder', { exact: true }).fill('garden');
    await card(page).getByRole('button', { name: 'Save' }).click();
    await card(page).getByText('path: expected an absolute path').waitFor();
    await expectAccessible(page);

    const row = card(page).getByRole('group', { name: 'garden' });
    await row.getByLabel('Folder', { exact: true }).fill(folder);
    const named = card(page).getByRole('group', { name: folder });
    await named.getByLabel('Sandbox').selectOption('off');
    await named.getByRole('checkbox', { name: 'sebastian' }).check();
    await card(page).getByRole('button', { name: 'Save' }).click();
    await card(page).getByRole('heading', { name: folder }).waitFor();
    await card(page).getByText('Only for sebastian').waitFor();
    await card(page).getByText('Not sandboxed').waitFor();
    await expectAccessible(page);
    expect(await rootsOf(page)).toEqual([...before, folder]);
    expect(await rootsOf(petra)).toEqual(before);

    await page.request.patch(`${parley.url}/api/account`, { data: { displayName: 'Sebastian B.' } });
    await page.reload();
    await card(page).getByText('Only for Sebastian B.').waitFor();

    await page.reload();
    await card(page).getByRole('heading', { name: folder }).waitFor();
    await card(page).getByRole('button', { name: 'Edit' }).click();
    await card(page)
      .getByRole('button', { name: `Remove ${folder}` })
      .click();
    await card(page).getByRole('button', { name: 'Save' }).click();
    await card(page).getByRole('button', { name: 'Edit' }).waitFor();
    await expect.poll(() => card(page).getByRole('heading', { name: folder }).count()).toBe(0);
    expect(await rootsOf(page)).toEqual(before);
    expect(complaints).toEqual([]);
  });
});
