// Branches, a remote and working trees in the panel of changes. The remote is a bare repository in the same work folder.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { beginSession } from './code-pages.ts';
import { complaintsOf, expectAccessible, patienceMs, phone, visit } from './harness.ts';
import { runningParley } from './running-parley.ts';

const parley = runningParley();
let page: Page;
let complaints: readonly string[];
let projects: string;

function git(folder: string, ...args: readonly string[]): string {
  const options = ['--no-optional-locks', '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org'];
  const cwd = join(projects, folder);
  return execFileSync('git', [...options, ...args], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function commit(folder: string, file: string): void {
  writeFileSync(join(projects, folder, file), `${file}\n`);
  git(folder, 'add', '-A');
  git(folder, 'commit', '--quiet', '-m', `add ${file}`);
}

const branch = (name: string) => page.getByRole('button', { name: `Branch ${name}`, exact: true });

async function choose(on: string, entry: string | RegExp): Promise<void> {
  // Waits until the action before is over: until then the button is disabled.
  await branch(on).click();
  await page
    .getByRole('menuitem', { name: entry })
    .or(page.getByRole('menuitemradio', { name: entry }))
    .click();
}

async function answer(title: string, button: string, name?: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: title });
  if (name !== undefined) await dialog.getByLabel('Branch name').fill(name);
  await dialog.getByRole('button', { name: button, exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
}

beforeAll(async () => {
  projects = join(parley.home, 'demo/projects');
  page = await visit(parley.browser, parley);
  complaints = complaintsOf(page);
  const session = await beginSession(page, parley);
  git('.', 'init', '--quiet', '--bare', '--initial-branch=main', 'remote.git');
  git('reading-list', 'init', '--quiet', '--initial-branch=main');
  git('reading-list', 'remote', 'add', 'origin', join(projects, 'remote.git'));
  writeFileSync(join(projects, 'reading-list', '.gitignore'), '*.log\n');
  commit('reading-list', 'first.txt');
  writeFileSync(join(projects, 'reading-list', 'noise.log'), '');
  await page.goto(`${parley.url}/code/${session}?panel=changes`);
}, patienceMs);

describe('the branch menu', { timeout: patienceMs }, () => {
  it('makes a branch and switches back, on a phone too [app.changes.page.branches]', async () => {
    await choose('main', 'New branch …');
    await expectAccessible(page);
    await answer('New branch', 'Create', 'idea');
    await branch('idea').waitFor();
    expect(git('reading-list', 'branch', '--show-current')).toBe('idea');
    await page.setViewportSize(phone);
    await choose('idea', 'main');
    await branch('main').waitFor();
    expect(git('reading-list', 'branch', '--show-current')).toBe('main');
    await page.getByRole('tab', { name: 'Files' }).click();
    await page.getByRole('treeitem', { name: 'noise.log, ignored by git', exact: true }).waitFor();
    await expectAccessible(page);
    await page.getByRole('tab', { name: 'Changes' }).click();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('pushes and pulls [app.changes.page.remote]', async () => {
    await choose('main', /^Push to/);
    await expect.poll(() => git('remote.git', 'branch', '--format=%(refname:short)')).toBe('main');
    git('.', 'clone', '--quiet', 'remote.git', 'elsewhere');
    commit('elsewhere', 'theirs.txt');
    git('elsewhere', 'push', '--quiet', 'origin', 'main');
    await choose('main', /^Pull from/);
    await expect.poll(() => existsSync(join(projects, 'reading-list', 'theirs.txt'))).toBe(true);

    commit('elsewhere', 'more.txt');
    git('elsewhere', 'push', '--quiet', 'origin', 'main');
    commit('reading-list', 'ours.txt');
    await choose('main', /^Push to/);
    await page.getByText('The remote has commits that are not here. Pull first.').waitFor();
  });

  it('starts a session in a working tree, merges it and removes it [app.changes.page.worktrees]', async () => {
    const before = page.url();
    await choose('main', 'New session in its own working tree …');
    await answer('New session in its own working tree', 'Start', 'side');
    await page.waitForURL((url) => url.href !== before);
    await branch('side').waitFor();
    const tree = /^worktree (.*)$/gm;
    const [, folder = ''] = [...git('reading-list', 'worktree', 'list', '--porcelain').matchAll(tree)].map(
      ([, path = '']) => path,
    );
    expect(readFileSync(join(folder, 'ours.txt'), 'utf8')).toBe('ours.txt\n');
    commit(folder.slice(projects.length + 1), 'aside.txt');
    await choose('side', 'Merge into the repository …');
    await answer('Merge this branch?', 'Merge');
    await expect.poll(() => existsSync(join(projects, 'reading-list', 'aside.txt'))).toBe(true);
    await choose('side', 'Remove this working tree …');
    await expectAccessible(page);
    await answer('Remove this working tree?', 'Remove');
    await page.waitForURL(/\/code$/);
    expect(existsSync(folder)).toBe(false);
    expect(complaints).toEqual([]);
  });
});
