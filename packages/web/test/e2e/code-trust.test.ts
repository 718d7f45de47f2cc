// A folder that wants to run something: the card says what, and nothing runs before somebody trusts it.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginSession, hear, say } from './code-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  page = await visit(parley.browser, parley, { path: '/code' });
  complaints = complaintsOf(page);
}, patienceMs);

describe('a folder that nobody trusts', { timeout: patienceMs }, () => {
  const card = () => page.getByRole('region', { name: 'Do you trust this folder?' });
  // Inside the folder, because a sandbox shows the hook nothing else.
  const mark = (name: string) => join(parley.home, 'demo', 'projects', 'reading-list', name);
  const hooked = (name: string) => {
    const folder = join(parley.home, 'demo', 'projects', 'reading-list', '.claude');
    const hooks = { UserPromptSubmit: [{ hooks: [{ type: 'command', command: `touch ${mark(name)}` }] }] };
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ hooks }));
  };

  it('shows what it would run, and runs it after somebody trusts it [code.trust.card]', async () => {
    hooked('first');
    await beginSession(page, parley, 'Hello');
    await hear(page, /scripted demo model/);
    await hear(page, 'No one has trusted this folder yet, so its configuration is not used.');
    await card().getByText('UserPromptSubmit').waitFor();
    await card()
      .getByText(`touch ${mark('first')}`)
      .waitFor();
    await card().getByText('your own MCP servers are off here').waitFor();
    await expectAccessible(page);
    expect(existsSync(mark('first'))).toBe(false);
    await card().getByRole('button', { name: 'Trust this folder' }).click();
    await card().waitFor({ state: 'detached' });
    await say(page, 'Hello again');
    await expect.poll(() => existsSync(mark('first')), { timeout: patienceMs }).toBe(true);
  });

  it('asks again when it has changed, and stops asking if the person continues without it [code.trust.card] [code.trust.revoked-by-change]', async () => {
    hooked('second');
    await page.reload();
    const changed = page.getByRole('region', { name: 'This folder has changed since it was trusted' });
    await changed.getByRole('button', { name: 'Continue without trusting it' }).click();
    await changed.waitFor({ state: 'detached' });
    await say(page, 'Hello once more');
    await hear(page, 'No one has trusted this folder yet, so its configuration is not used.');
    expect(existsSync(mark('second'))).toBe(false);
    expect(await changed.count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});
