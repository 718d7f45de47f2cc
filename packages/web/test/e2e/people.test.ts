// Several people on one browser: switching the person, also while another tab shows somebody else.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callTool, type Reply, reply } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { composer, conversation, say } from './chat-page.ts';
import { patienceMs, secondTab } from './harness.ts';
import { runningParley } from './running-parley.ts';

const vaultRoot = mkdtempSync(join(tmpdir(), 'parley-vaults-'));
afterAll(() => rmSync(vaultRoot, { recursive: true, force: true }));
const parley = runningParley({ scripted: true, config: { vaultRoot } });

function whenAsked(text: string, ...replies: readonly Reply[]): void {
  parley.model.script(({ body }) => JSON.stringify(body).includes(text), ...replies);
}

const menu = (page: Page, person: string) =>
  page.getByRole('banner').getByRole('button', { name: `${person}: person and settings` });

async function switchTo(page: Page, person: string): Promise<void> {
  await page.getByRole('button', { name: 'person and settings' }).click();
  await page.getByRole('menuitem', { name: person }).click();
  await menu(page, person).waitFor();
}

describe('switching the person', { timeout: patienceMs }, () => {
  it('shows the new name, and nothing of the previous person [kitchen.ui.switch-person]', async () => {
    const page = await parley.visit();
    whenAsked('Only for Sebastian', reply('Understood.'));
    await say(page, 'Only for Sebastian');
    await conversation(page).getByText('Understood.').waitFor();
    await composer(page).fill('A secret draft');
    await switchTo(page, 'petra');
    await page.getByText('Your conversations appear here.').waitFor();
    await expect.poll(() => page.getByText('Only for Sebastian').count()).toBe(0);
    await expect.poll(() => composer(page).inputValue()).toBe('');
    await expect.poll(() => menu(page, 'sebastian').count()).toBe(0);
  });

  it('leaves another tab to the person it shows [kitchen.ui.switch-person]', async () => {
    const page = await parley.visit();
    const other = await secondTab(page, parley.url);
    await menu(other, 'sebastian').waitFor();
    await switchTo(page, 'petra');

    const note = 'plan.md';
    whenAsked(
      'Note my plan',
      reply(callTool('write_file', { path: note, content: 'Mine.' })),
      reply('Noted.'),
    );
    await say(other, 'Note my plan');
    await conversation(other).getByText('Noted.').waitFor();
    expect(existsSync(join(vaultRoot, 'sebastian', note))).toBe(true);
    expect(existsSync(join(vaultRoot, 'petra', note))).toBe(false);
    await menu(other, 'sebastian').waitFor();
    await expect.poll(() => page.getByText('Note my plan').count()).toBe(0);
  });
});
