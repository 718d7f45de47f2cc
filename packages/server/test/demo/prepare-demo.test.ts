// The sample notes and the sample project of demo mode.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { prepareDemo, prepareProject } from '../../src/demo/prepare-demo.ts';

describe('the demo', () => {
  it('writes a vault with notes for each person', async () => {
    const { vaultRoot, people, folder } = await prepareDemo(freshHome());
    expect(people).toEqual(['sebastian', 'petra']);
    expect(vaultRoot.startsWith(folder)).toBe(true);
    expect(readdirSync(vaultRoot).toSorted()).toEqual(['petra', 'sebastian']);
    for (const person of people) {
      expect(readFileSync(join(vaultRoot, person, 'shopping-list.md'), 'utf8')).toContain('# Shopping list');
      expect(readdirSync(join(vaultRoot, person, 'meetings')).length).toBeGreaterThan(0);
    }
  });

  it('never restores or overwrites notes that people changed', async () => {
    const home = freshHome();
    const { vaultRoot } = await prepareDemo(home);
    const mine = join(vaultRoot, 'petra', 'shopping-list.md');
    writeFileSync(mine, 'mine');
    rmSync(join(vaultRoot, 'petra', 'packing-list.md'));
    await Promise.all([prepareDemo(home), prepareDemo(home)]);
    expect(readFileSync(mine, 'utf8')).toBe('mine');
    expect(existsSync(join(vaultRoot, 'petra', 'packing-list.md'))).toBe(false);
    expect(readdirSync(vaultRoot).toSorted()).toEqual(['petra', 'sebastian']);
  });

  it('writes a missing vault next to an existing one', async () => {
    const home = freshHome();
    const vault = join(home, 'demo', 'notes', 'petra');
    mkdirSync(vault, { recursive: true });
    writeFileSync(join(vault, 'only.md'), 'mine');
    const { vaultRoot } = await prepareDemo(home);
    expect(readdirSync(vault)).toEqual(['only.md']);
    expect(readdirSync(join(vaultRoot, 'sebastian'))).toContain('garden-plan.md');
  });
});

describe('the sample project', () => {
  it('has a failing check and one line to fix', async () => {
    const project = await prepareProject(freshHome());
    const check = () =>
      spawnSync(process.execPath, ['scripts/check.mjs'], { cwd: project, encoding: 'utf8' });
    expect(check()).toMatchObject({ status: 1, stderr: expect.stringContaining('still listed as open') });
    const books = join(project, 'src/backend/books.mjs');
    writeFileSync(
      books,
      readFileSync(books, 'utf8').replace('book.read <= book.pages', 'book.read < book.pages'),
    );
    expect(check()).toMatchObject({ status: 0, stdout: 'Everything looks good.\n' });
  });

  it('is left as it is once it is there', async () => {
    const home = freshHome();
    const project = await prepareProject(home);
    writeFileSync(join(project, 'README.md'), 'mine');
    await prepareProject(home);
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toBe('mine');
  });
});

function freshHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'parley-demo-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  return home;
}
