// A Claude Code session in the browser, with the real program: prompts, answers, tools, the list, two tabs.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { composer, conversation } from './chat-page.ts';
import { beginSession, hear, say } from './code-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone, secondTab, visit } from './harness.ts';
import { writeTranscript } from './long-transcript.ts';
import { runningParley } from './running-parley.ts';

// A process waits for each new session, as it does on most machines.
const parley = runningParley({ claude: { warmProcesses: 1 } });
let page: Page;
let complaints: readonly string[];
beforeAll(async () => {
  page = await visit(parley.browser, parley, { path: '/code' });
  complaints = complaintsOf(page);
}, patienceMs);

describe('a session in the browser', { timeout: patienceMs }, () => {
  it('starts in a chosen folder with a first message, and its answer streams in [code.ws.text] [code.session.create]', async () => {
    await beginSession(page, parley, 'Hello');
    await hear(page, /scripted demo model/);
    await hear(page, /tokens written/);
    await page.getByRole('heading', { level: 1, name: 'Hello' }).waitFor();
  });

  it('shows a file that was read, a change as a diff, and the cost', async () => {
    await say(page, 'Edit README.md: replace tiny with small');
    const card = page.getByRole('region', { name: 'Allow Edit?' });
    await card.getByText('README.md').waitFor();
    await card.getByText('tiny').waitFor();
    await page.keyboard.press('Alt+a');
    await hear(page, 'README.md now says “small” where it said “tiny”.');
    await hear(page, "A small web app that tracks a household's books.");
    await page.getByRole('meter', { name: 'Context used' }).first().waitFor();
  });

  it('shows the raw JSON of any message', async () => {
    const answer = page.locator('[data-index]').filter({ has: page.getByText('README.md now says') });
    await answer.hover();
    await answer.getByRole('button', { name: 'Message menu' }).click();
    await page.getByRole('menuitem', { name: 'Show raw JSON' }).click();
    const dialog = page.getByRole('dialog', { name: 'Raw JSON' });
    await expect.poll(() => dialog.textContent()).toContain('"type": "assistant"');
    await page.keyboard.press('Escape');
  });

  it('keeps two tabs in sync [code.ws.all-clients] [code.permission.reaches-all]', async () => {
    const tab = await secondTab(page, page.url());
    await hear(tab, 'README.md now says');
    await say(tab, 'Run touch both.txt');
    await hear(page, 'Run touch both.txt');
    await page.getByRole('button', { name: /Allow once/ }).click();
    await hear(tab, /touch both\.txt.*gave|no output/);
    await expect.poll(() => tab.getByRole('button', { name: /Allow once/ }).count()).toBe(0);
    await tab.close();
  });

  it('nests what a subagent does below its call, even on a page opened later', async () => {
    await say(page, 'Delegate to a subagent');
    await hear(page, /The subagent reports/);
    const tab = await secondTab(page, page.url());
    await hear(tab, /The subagent reports/);
    for (const one of [page, tab]) {
      const nested = one.getByRole('region', { name: 'Subagent' });
      await nested.getByText(/I see \d+ files/).waitFor();
      await expect.poll(() => nested.getByText('List the files in the workspace').count()).toBe(1);
    }
    await tab.close();
  });

  it('is stopped by Escape, and stays usable [code.ws.interrupt]', async () => {
    await say(page, 'Count to 1000');
    // Before the program has the prompt, there is nothing to stop.
    await hear(page, /\b17\b/);
    await composer(page).press('Escape');
    await conversation(page).getByText('Stopped', { exact: true }).last().waitFor();
    await say(page, 'Run date');
    await hear(page, /date.*printed:/);
  });

  it('is listed as working while a turn runs, and queues messages that can be discarded [code.ws.queue-update]', async () => {
    await say(page, 'Ask me a question');
    const question = page.getByRole('region', { name: 'Claude has a question' });
    await question.waitFor();
    const list = page.getByRole('list', { name: 'Sessions' });
    await list.getByRole('link', { name: /^Working:.*Needs you/ }).waitFor();
    await say(page, 'Second in line');
    await say(page, 'Third in line');
    const queue = page.getByRole('region', { name: 'Queued messages' });
    await queue.getByText('Third in line').waitFor();
    await queue.getByRole('button', { name: 'Move up' }).last().click();
    await expect
      .poll(async () => (await queue.getByRole('listitem').allTextContents()).map((text) => text.trim()))
      .toEqual(['Third in line', 'Second in line']);
    for (const left of [1, 0]) {
      await queue.getByRole('button', { name: 'Withdraw' }).first().click();
      await expect.poll(() => queue.getByRole('listitem').count()).toBe(left);
    }
    await question.getByRole('radio', { name: /Blue/ }).click();
    await question.getByRole('button', { name: 'Answer', exact: true }).click();
    await hear(page, 'Blue it is. Thank you!');
    await expect.poll(() => list.getByRole('link', { name: /^Working:/ }).count()).toBe(0);
  });

  it('keeps its transcript when the page is reloaded [code.ws.cached-then-live]', async () => {
    await page.reload();
    await hear(page, 'Blue it is. Thank you!');
    await conversation(page).press('Home');
    await hear(page, /^Hello$/);
    await page.getByRole('button', { name: 'Jump to the end' }).click();
  });

  it('resumes automatically after the connection was lost, and misses nothing [code.ws.resume]', async () => {
    await page.context().setOffline(true);
    // The emulation only silences an open connection; a real device also fires this event.
    await page.evaluate(() => window.dispatchEvent(new Event('offline')));
    await page.getByText('Connection lost. Reconnecting …').waitFor();
    const tab = await parley.visit({ path: new URL(page.url()).pathname });
    await say(tab, 'Run pwd');
    await hear(tab, /pwd.*printed:/);
    await page.context().setOffline(false);
    await hear(page, /pwd.*printed:/);
    await expect.poll(() => page.getByText('Connection lost. Reconnecting …').count()).toBe(0);
  });

  it('is renamed, forked, archived and deleted', async () => {
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'Session menu' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Rename');
    const dialog = page.getByRole('dialog', { name: 'Rename session' });
    await dialog.getByLabel('Title').fill('The books of the household');
    await dialog.getByRole('button', { name: 'Rename' }).click();
    await page.getByRole('heading', { level: 1, name: 'The books of the household' }).waitFor();

    const original = page.url();
    await choose('Fork');
    await page.waitForURL((url) => url.toString() !== original);
    await hear(page, 'Blue it is. Thank you!');

    await choose('Archive');
    await choose('Delete');
    await page.waitForURL(/\/code$/);
    const list = page.getByRole('list', { name: 'Sessions' });
    await list
      .getByRole('link', { name: /The books of the household/ })
      .first()
      .waitFor();
  });

  it('is found by its title and by words in its messages', async () => {
    const list = page.getByRole('list', { name: 'Sessions' });
    await page.getByLabel('Search sessions').fill('nothing has this title');
    await page.getByText('No results').waitFor();
    await page.getByLabel('Search sessions').fill('Blue it is');
    await list
      .getByRole('link', { name: /Blue it is/ })
      .first()
      .waitFor();
  });

  it('is filtered by project, while the other projects are still offered', async () => {
    await page.goto(`${parley.url}/code/new`);
    const dialog = page.getByRole('dialog', { name: 'New session' });
    await dialog.getByRole('button', { name: 'Recent folder reading-list', pressed: true }).waitFor();
    await dialog.getByRole('button', { name: 'This folder' }).click();
    await dialog.getByLabel('First message').press('Control+Enter');
    await page.waitForURL(/\/code\/[0-9a-f-]{36}$/);

    const projects = page.getByLabel('Project');
    const list = page.getByRole('list', { name: 'Sessions' });
    await projects.selectOption('projects');
    await expect.poll(() => list.getByRole('link').count()).toBe(1);
    await projects.selectOption('reading-list');
    await list
      .getByRole('link', { name: /The books of the household/ })
      .first()
      .waitFor();
    await projects.selectOption('All projects');
    await list.getByRole('link', { name: /New session/ }).waitFor();
  });

  it('is missing if its folder cannot be read, and the list says so [code.index.unreadable]', async () => {
    const projects = join(parley.home, 'demo', 'claude-home', '.claude', 'projects');
    mkdirSync(projects, { recursive: true });
    // Cannot be read by anybody, not even by root.
    symlinkSync('loop', join(projects, 'loop'));
    const visitor = await parley.visit({ path: '/code' });
    const note = visitor
      .getByRole('status')
      .filter({ hasText: `Sessions in ${join(projects, 'loop')} are missing` });
    await note.waitFor();
    await expectAccessible(visitor);
    rmSync(join(projects, 'loop'));
    await note.waitFor({ state: 'detached' });
  });

  it('that cannot be resumed shows its messages, says why, and continues in a new session [code.session.not-resumable]', async () => {
    const id = writeTranscript(parley, { messages: 4, isRefused: true });
    await page.goto(`${parley.url}/code/${id}`);
    await hear(page, 'Prompt number 0');
    const alert = page.getByRole('alert').filter({ hasText: 'cannot continue the session' });
    await alert.waitFor();
    await say(page, 'Go on anyway');
    await hear(page, 'Go on anyway');
    await alert.getByRole('button', { name: 'Continue in a new session' }).click();
    await page.waitForURL((url) => !url.pathname.endsWith(id));
    await say(page, 'Run pwd');
    await hear(page, /pwd.*printed:/);
    await page.goto(`${parley.url}/code/${id}`);
    await hear(page, 'Prompt number 0');
  });

  it('causes no errors on the page', () => {
    expect(complaints).toEqual([]);
  });
});

describe('the pages of Claude Code', { timeout: patienceMs }, () => {
  it('are accessible', async () => {
    const visitor = await parley.visit({ path: '/code' });
    await visitor.getByRole('heading', { name: 'Claude Code', level: 1 }).waitFor();
    await expectAccessible(visitor);
    await visitor.goto(`${parley.url}/code/new`);
    await visitor.getByRole('button', { name: 'reading-list', exact: true }).waitFor();
    await expectAccessible(visitor);
    await beginSession(visitor, parley, 'Run touch axe.txt');
    await visitor.getByRole('button', { name: /Allow once/ }).waitFor();
    await expectAccessible(visitor);
    await visitor.getByRole('button', { name: /Allow once/ }).click();
    await hear(visitor, /printed:/);
    await expectAccessible(visitor);
    await visitor.evaluate(() => localStorage.setItem('parley.theme', 'dark'));
    await visitor.reload();
    await hear(visitor, /printed:/);
    await expectAccessible(visitor);
    await visitor.setViewportSize(phone);
    await expectAccessible(visitor);
  });

  it('show whatever others wrote as plain text', async () => {
    const attack = `"><img src=x onerror=document.title='owned'><script>document.title='owned'</script>[x](javascript:document.title='owned')`;
    const project = join(parley.home, 'demo', 'projects', 'reading-list');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'evil.md'), `${attack}\n`);
    const visitor = await parley.visit({ path: '/code' });
    const heard = complaintsOf(visitor);
    await beginSession(visitor, parley, attack);
    await hear(visitor, /I didn't understand|scripted demo/);
    await say(visitor, 'Read evil.md');
    await hear(visitor, /evil\.md says/);
    await say(visitor, `Create a file evil.txt with ${attack}`);
    await visitor.getByRole('button', { name: /Allow once/ }).click();
    await hear(visitor, /I wrote evil\.txt/);
    expect(await visitor.title()).toMatch(/Parley$/);
    expect(await visitor.locator('img[src="x"], a[href^="javascript"], [role="log"] script').count()).toBe(0);
    expect(heard).toEqual([]);
  });
});
