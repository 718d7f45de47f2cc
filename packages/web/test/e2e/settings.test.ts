// Settings in a real browser: MCP servers, assistants, values that the file decides, conflicts and wrong values.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callTool, lastToolResults, lastUserText, reply, resultText } from '@parley/stand-ins';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import * as chat from './chat-page.ts';
import { complaintsOf, expectAccessible, patienceMs, phone, secondTab } from './harness.ts';
import { runningParley } from './running-parley.ts';

/** Has a setting that is wrong, as an older version may have stored it. */
const home = mkdtempSync(join(tmpdir(), 'parley-settings-'));
const stored = { 'limits.outputTokens': { value: 'many', revision: 1 } };
writeFileSync(join(home, 'settings.json'), JSON.stringify({ version: 1, revision: 1, settings: stored }));
afterAll(() => rmSync(home, { recursive: true, force: true, maxRetries: 20 }));

const parley = runningParley({
  scripted: true,
  hasOwner: true,
  config: { log: { level: 'warn' }, caution: 'off' },
  environment: { PARLEY_HOME: home },
});

const vault = dirname(createRequire(import.meta.url).resolve('@parley/recipe-vault/package.json'));

const open = async (section: string, options = {}) => {
  const page = await parley.visit({ path: `/settings/${section}`, ...options });
  await page.getByRole('heading', { level: 1 }).waitFor();
  return page;
};
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, label: string) => page.getByLabel(label, { exact: true });

describe('MCP servers in the settings', { timeout: patienceMs }, () => {
  it('are added, tried, used in a chat at once, and removed [team.settings.page.mcp]', async () => {
    const page = await open('mcp-servers');
    const complaints = complaintsOf(page);
    await button(page, 'Add a server').click();
    await field(page, 'Name').fill('cookbook');
    await field(page, 'Program').fill(process.execPath);
    await field(page, 'Arguments').fill('/no/such/file.js');
    await button(page, 'Test').click();
    await page.getByRole('alert').waitFor();
    await field(page, 'Arguments').fill(
      [join(vault, 'dist', 'main.js'), '--database', join(home, 'book.db'), '--samples'].join('\n'),
    );
    await button(page, 'Test').click();
    await page.getByText(/It works and has \d+ tools/).waitFor();
    await page.getByText('list_recipes').first().waitFor();
    await button(page, 'Add').click();
    await field(page, 'Name').last().fill('BOOK_KEY');
    await field(page, 'Value').fill('planted-secret');
    await page.getByRole('checkbox', { name: 'Notes' }).check();
    await expectAccessible(page);
    await button(page, 'Save').click();
    await page.getByRole('heading', { name: 'cookbook' }).waitFor();

    parley.model
      .script(({ body }) => lastUserText(body) === 'What can I cook?' || lastToolResults(body).length > 0)
      .always(({ body }) => {
        const results = lastToolResults(body).map(resultText).join(' ');
        return reply(results === '' ? callTool('list_recipes', {}) : `Found: ${results.slice(0, 2_000)}`);
      });
    await page.goto(`${parley.url}/`);
    await chat.choose(page, 'Notes');
    await chat.say(page, 'What can I cook?');
    await chat.conversation(page).getByText('Apple Crumble').first().waitFor();

    await page.goto(`${parley.url}/settings/mcp-servers`);
    await button(page, 'Edit: cookbook').click();
    await page.getByPlaceholder('Already set. Type to replace it.').waitFor();
    expect(await page.content()).not.toContain('planted-secret');
    await button(page, 'Cancel').click();
    await button(page, 'Remove cookbook').click();
    await expectAccessible(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'cookbook' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });

  it('that are wrong keep what was typed, and say what is wrong at the field [team.settings.page.problems]', async () => {
    const page = await open('mcp-servers', { viewport: phone, colorScheme: 'dark' });
    await button(page, 'Add a server').click();
    await field(page, 'Name').fill('vault');
    await field(page, 'Program').fill('true');
    await button(page, 'Save').click();
    await page.getByText('Expected a name that no built-in tool source has').waitFor();
    await expect.poll(() => field(page, 'Name').getAttribute('aria-invalid')).toBe('true');
    await field(page, 'Name').fill('other');
    await page.getByText('More settings').click();
    await field(page, 'Working folder').fill('not/absolute');
    await button(page, 'Save').click();
    await page.getByText('Expected an absolute path').waitFor();
    await expect.poll(() => field(page, 'Program').inputValue()).toBe('true');
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(phone.width);
  });
});

describe('assistants in the settings', { timeout: patienceMs }, () => {
  it('are added, changed and removed, and can be talked to at once [team.settings.page.assistants]', async () => {
    const page = await open('assistants');
    await button(page, 'Add an assistant').click();
    await field(page, 'Name').fill('garden');
    await field(page, 'Display name').fill('Gardener');
    await field(page, 'Instructions').fill('You know plants.');
    await page.getByRole('checkbox', { name: /^Notes/ }).check();
    await expectAccessible(page);
    await button(page, 'Save').click();
    await button(page, 'Edit: Gardener').click();
    await expect.poll(() => field(page, 'Instructions').inputValue()).toBe('You know plants.');
    await field(page, 'Instructions').fill('You know flowers.');
    await button(page, 'Save').click();
    await button(page, 'Edit: Gardener').waitFor();

    parley.model.script(
      ({ body }) => lastUserText(body) === 'Hello garden' && JSON.stringify(body.system).includes('flowers'),
      reply('Hello from the beds.'),
    );
    await page.goto(`${parley.url}/`);
    await chat.choose(page, 'Gardener');
    await chat.say(page, 'Hello garden');
    await chat.conversation(page).getByText('Hello from the beds.').waitFor();

    await page.goto(`${parley.url}/settings/assistants`);
    await button(page, 'Extend: Kitchen').waitFor();
    await button(page, 'Remove Gardener').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await page.getByRole('heading', { name: 'Gardener' }).waitFor({ state: 'detached' });
  });
});

describe('settings of the server', { timeout: patienceMs }, () => {
  it('show where a value comes from, and that the file wins [team.settings.page.origins]', async () => {
    const page = await open('server');
    const log = page.getByRole('form', { name: 'Log' });
    await log.getByText('Set in parley.config.json. It can only be changed there.').waitFor();
    const level = log.getByLabel('Log level');
    expect([await level.inputValue(), await level.isDisabled()]).toEqual(['warn', true]);
    await expectAccessible(page);
  });

  it('say at a choice what is wrong with it [team.settings.page.problems]', async () => {
    const page = await open('server');
    const engine = field(page, 'Search engine');
    await engine.selectOption('brave');
    await button(page, 'Save').click();
    await page.getByText('Web search uses Brave, but its API key is not set').waitFor();
    await expect.poll(() => engine.getAttribute('aria-invalid')).toBe('true');
    await expectAccessible(page);
  });

  it('lose nothing when two tabs change the same one [team.settings.page.conflict]', async () => {
    const page = await open('server');
    const other = await secondTab(page, `${parley.url}/settings/server`);
    await field(other, 'Default model').fill('claude-haiku-5-5');
    await field(page, 'Default model').fill('claude-opus-5-5');
    await button(page, 'Save').click();
    await button(page, 'Save').waitFor({ state: 'detached' });
    await button(other, 'Save').click();
    await other.getByText('Somebody else has changed this in the meantime.').waitFor();
    await other.getByText('claude-opus-5-5').last().waitFor();
    await expect.poll(() => field(other, 'Default model').inputValue()).toBe('claude-haiku-5-5');
    await expectAccessible(other);
    await button(other, 'Save mine').click();
    await button(other, 'Save').waitFor({ state: 'detached' });
    await page.reload();
    await expect.poll(() => field(page, 'Default model').inputValue()).toBe('claude-haiku-5-5');
    await button(page, 'Reset to default: Default model').click();
    await button(page, 'Save').click();
    await expect.poll(() => field(page, 'Default model').inputValue()).toBe('claude-sonnet-5-5');
  });

  it('are refused at their field, with what was typed [team.settings.page.problems]', async () => {
    const page = await open('server');
    await field(page, 'Context size in tokens').fill('a lot');
    await button(page, 'Save').click();
    await page.getByText('found "a lot"').waitFor();
    await expect.poll(() => field(page, 'Context size in tokens').inputValue()).toBe('a lot');
    await button(page, 'Cancel').click();
    await expect.poll(() => field(page, 'Context size in tokens').inputValue()).toBe('200000');
  });

  it('that are stored but wrong can be removed [team.settings.page.ignored]', async () => {
    const page = await open('server');
    const card = page.getByRole('region', { name: 'Stored, but not used' });
    await card.getByText('limits.outputTokens').waitFor();
    await expectAccessible(page);
    await button(page, 'Remove limits.outputTokens').click();
    await card.waitFor({ state: 'detached' });
  });
});
