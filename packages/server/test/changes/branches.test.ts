// Branches, worktrees and remotes, in real repositories with a bare repository as the remote.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gitIn, never, openWorkshop, session, type Workshop, type WorkshopOptions } from './repository.ts';

const open: Workshop[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.remove();
});

function committed(options?: WorkshopOptions): Workshop {
  const made = openWorkshop(options);
  open.push(made);
  made.put('file.txt', 'one\n');
  made.git('add', '-A');
  made.git('commit', '-qm', 'first');
  return made;
}

const branches = ({ changes }: Workshop) => changes.branches('sebastian', session, never);
const switchTo = ({ changes }: Workshop, name: string, create = false) =>
  changes.switchBranch('sebastian', session, name, create);
const read = ({ folder }: Workshop, name: string) => readFileSync(join(folder, name), 'utf8');

describe('branches', () => {
  it('lists them, makes new ones and switches [app.changes.branches]', async () => {
    const made = committed();
    await switchTo(made, 'topic', true);
    made.put('file.txt', 'two\n');
    made.put('only-here.txt', 'x\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'second');
    await switchTo(made, 'main');
    expect([read(made, 'file.txt'), existsSync(join(made.folder, 'only-here.txt'))]).toEqual([
      'one\n',
      false,
    ]);
    expect(await branches(made)).toEqual({
      current: 'main',
      branches: expect.arrayContaining(['main', 'topic']),
      remote: null,
      worktreeOf: null,
    });
    await switchTo(made, 'topic');
    expect(read(made, 'file.txt')).toBe('two\n');
    expect(made.git('status', '--porcelain')).toBe('');
    expect(made.git('reflog', '-1')).toContain('moving from main to topic');
  });

  it('does not switch with changes, over new files, or to what is not there [app.changes.branches]', async () => {
    const made = committed();
    made.git('checkout', '-qb', 'topic');
    made.put('new.txt', 'theirs\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'second');
    made.git('checkout', '-q', 'main');
    made.put('new.txt', 'mine\n');
    await expect(switchTo(made, 'topic')).rejects.toMatchObject({ code: 'conflict' });
    expect(read(made, 'new.txt')).toBe('mine\n');
    execFileSync('rm', [join(made.folder, 'new.txt')]);
    made.put('file.txt', 'changed\n');
    await expect(switchTo(made, 'topic')).rejects.toMatchObject({ code: 'conflict' });
    await expect(switchTo(made, 'nowhere')).rejects.toMatchObject({ code: 'not_found' });
    await expect(switchTo(made, 'topic', true)).rejects.toMatchObject({ code: 'conflict' });
    for (const name of ['-d', 'a..b', '../x', 'a b', '@{-1}'])
      await expect(switchTo(made, name, true)).rejects.toMatchObject({ code: 'invalid' });
    expect(await branches(made)).toMatchObject({ current: 'main' });
  });
});

describe('files that a turn works with', () => {
  it('are not replaced, whichever session asks [app.changes.branches] [app.changes.worktrees]', async () => {
    const made = committed();
    made.git('branch', 'topic');
    const path = await made.changes.startWorktree('sebastian', session, 'tree');
    const inTree = made.sessionIn(path).changes;
    const merge = () => inTree.finishWorktree('sebastian', session, 'merge');
    writeFileSync(join(path, 'file.txt'), 'two\n');
    await inTree.stage('sebastian', session, ['file.txt'], true);
    await inTree.commit('sebastian', session, 'In the worktree');
    made.working.add(made.folder);
    const refused = { code: 'conflict', message: expect.stringContaining('Claude is working') };
    await expect(switchTo(made, 'topic')).rejects.toMatchObject(refused);
    await expect(made.changes.pull('sebastian', session)).rejects.toMatchObject(refused);
    await expect(merge()).rejects.toMatchObject(refused);
    expect(read(made, 'file.txt')).toBe('one\n');
    made.working.clear();
    await merge();
    expect(read(made, 'file.txt')).toBe('two\n');
  });
});

describe('worktrees', () => {
  /** A session in a worktree of the workshop's repository, with a commit of its own. */
  async function inWorktree(made: Workshop, change: string) {
    const path = await made.changes.startWorktree('sebastian', session, 'topic/1');
    expect(path).toBe(`${made.folder}-topic-1`);
    expect(readFileSync(join(path, 'file.txt'), 'utf8')).toBe('one\n');
    expect(gitIn(path, 'status', '--porcelain', '--branch').trim()).toBe('## topic/1');
    writeFileSync(join(path, 'file.txt'), change);
    return { path, ...made.sessionIn(path) };
  }

  it('starts one, merges it and removes it [app.changes.worktrees]', async () => {
    const made = committed();
    const { path, changes } = await inWorktree(made, 'two\n');
    expect(await changes.branches('sebastian', session, never)).toMatchObject({ worktreeOf: made.folder });
    const finish = (how: 'merge' | 'remove') => changes.finishWorktree('sebastian', session, how);
    await expect(finish('merge')).rejects.toMatchObject({ code: 'conflict' });
    await expect(finish('remove')).rejects.toMatchObject({ code: 'conflict' });
    await changes.stage('sebastian', session, ['file.txt'], true);
    await changes.commit('sebastian', session, 'In the worktree');
    made.put('other.txt', 'x\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'Meanwhile');
    await finish('merge');
    expect(read(made, 'file.txt')).toBe('two\n');
    expect(made.git('log', '-1', '--format=%s').trim()).toBe("Merge branch 'topic/1'");
    expect(made.git('status', '--porcelain')).toBe('');
    expect(made.git('fsck', '--full', '--strict')).toBe('');
    await finish('remove');
    expect(existsSync(path)).toBe(false);
    expect(made.git('branch', '--format=%(refname:short)').trim()).toBe('main');
  });

  it('leaves nothing behind when the files cannot be written [app.changes.worktrees]', async () => {
    const made = committed();
    const id = made.git('rev-parse', 'HEAD:file.txt').trim();
    const object = join(made.folder, '.git/objects', id.slice(0, 2), id.slice(2));
    renameSync(object, `${object}.away`);
    const start = () => made.changes.startWorktree('sebastian', session, 'topic');
    await expect(start()).rejects.toMatchObject({ code: 'unavailable' });
    expect(existsSync(`${made.folder}-topic`)).toBe(false);
    expect(made.git('branch', '--format=%(refname:short)').trim()).toBe('main');
    renameSync(`${object}.away`, object);
    expect(readFileSync(join(await start(), 'file.txt'), 'utf8')).toBe('one\n');
  });

  it('says which files keep it from merging, and keeps a branch that is not merged [app.changes.worktrees]', async () => {
    const made = committed();
    const { changes } = await inWorktree(made, 'two\n');
    await changes.stage('sebastian', session, ['file.txt'], true);
    await changes.commit('sebastian', session, 'In the worktree');
    made.put('file.txt', 'three\n');
    made.git('commit', '-qam', 'Meanwhile');
    await expect(changes.finishWorktree('sebastian', session, 'merge')).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('file.txt'),
    });
    expect([read(made, 'file.txt'), made.git('status', '--porcelain')]).toEqual(['three\n', '']);
    await changes.finishWorktree('sebastian', session, 'remove');
    expect(made.git('branch', '--list', 'topic/1')).toContain('topic/1');
  });
});

describe('remotes', () => {
  /** Two clones of one bare repository, with hooks that leave a note. */
  function shared() {
    const made = committed();
    const bare = join(made.root, 'bare.git');
    gitIn(made.root, 'clone', '--quiet', '--bare', made.folder, bare);
    const notes = join(made.root, '../notes');
    mkdirSync(notes);
    mkdirSync(join(bare, 'hooks'), { recursive: true });
    for (const name of ['pre-receive', 'update', 'post-receive', 'post-update', 'reference-transaction']) {
      writeFileSync(join(bare, 'hooks', name), `#!/bin/sh\ntouch "${notes}/${name}"\n`);
      chmodSync(join(bare, 'hooks', name), 0o755);
    }
    made.git('remote', 'add', 'origin', bare);
    made.git('config', 'core.sshCommand', `touch ${notes}/ssh`);
    made.git('config', 'remote.origin.receivepack', `touch ${notes}/receivepack; git-receive-pack`);
    const other = join(made.root, 'other');
    gitIn(made.root, 'clone', '--quiet', bare, other);
    return { made, bare, other, ran: () => readdirSync(notes) };
  }

  it('pushes and pulls, and runs nothing here or there [app.changes.remotes]', async () => {
    const { made, bare, other, ran } = shared();
    made.put('file.txt', 'two\n');
    made.git('commit', '-qam', 'second');
    const { changes } = made;
    await changes.push('sebastian', session);
    expect(gitIn(bare, 'log', '-1', '--format=%s').trim()).toBe('second');
    expect((await branches(made)).remote).toEqual({ name: 'origin', url: bare, ahead: 0, behind: 0 });
    expect(await changes.pull('sebastian', session)).toBe(false);
    gitIn(other, 'pull', '--quiet');
    writeFileSync(join(other, 'file.txt'), 'three\n');
    gitIn(other, 'commit', '-qam', 'third');
    gitIn(
      other,
      '-c',
      'core.hooksPath=/dev/null',
      'push',
      '--quiet',
      '--receive-pack',
      'git -c core.hooksPath=/dev/null receive-pack',
    );
    made.put('mine.txt', 'x\n');
    expect(await changes.pull('sebastian', session)).toBe(true);
    expect([read(made, 'file.txt'), read(made, 'mine.txt')]).toEqual(['three\n', 'x\n']);
    expect(ran()).toEqual([]);
  });

  it('refuses when both sides have commits of their own [app.changes.remotes]', async () => {
    const { made, other } = shared();
    writeFileSync(join(other, 'file.txt'), 'theirs\n');
    gitIn(other, 'commit', '-qam', 'theirs');
    gitIn(other, 'push', '--quiet');
    made.put('file.txt', 'mine\n');
    made.git('commit', '-qam', 'mine');
    const { changes } = made;
    await expect(changes.push('sebastian', session)).rejects.toMatchObject({ code: 'conflict' });
    await expect(changes.pull('sebastian', session)).rejects.toMatchObject({ code: 'conflict' });
    expect(read(made, 'file.txt')).toBe('mine\n');
  });

  it.each([
    ['ext::sh -c touch% NOTE', 'invalid'],
    ['git://127.0.0.1/x', 'invalid'],
    ['https://127.0.0.1:1/x.git', 'forbidden'],
    ['git@127.0.0.1:x.git', 'forbidden'],
    ['/etc', 'forbidden'],
    ['--upload-pack=touch', 'forbidden'],
  ])('does not go to %s [app.changes.remotes]', async (url, code) => {
    const { made, ran } = shared();
    made.git('config', 'remote.origin.url', url.replace('NOTE', join(made.root, '../notes/ext')));
    await expect(made.changes.push('sebastian', session)).rejects.toMatchObject({ code });
    await expect(made.changes.pull('sebastian', session)).rejects.toMatchObject({ code });
    expect(ran()).toEqual([]);
  });
});
