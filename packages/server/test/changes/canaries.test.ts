// A repository with every trap that git offers: whatever Parley does in it, none of them runs.
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { gitIn, never, openWorkshop, session, type Workshop } from './repository.ts';

let made: Workshop | undefined;
afterEach(() => made?.remove());

/** Everything in a configuration that names a program. `RUN` is replaced by one that leaves a note. */
const traps = `
[core]
	fsmonitor = RUN fsmonitor
	hooksPath = HOOKS
	sshCommand = RUN ssh
	gitProxy = RUN proxy
	editor = RUN editor
	pager = RUN pager
	askPass = RUN askpass
	alternateRefsCommand = RUN alternates
	worktree = /
	attributesFile = ATTRIBUTES
[alias]
	ls-files = !RUN alias
	update-index = !RUN alias
[filter "trap"]
	clean = RUN clean
	smudge = RUN smudge
	process = RUN process
	required = true
[diff "trap"]
	command = RUN diff
	textconv = RUN textconv
[diff]
	external = RUN external
[merge "trap"]
	driver = RUN merge
[commit]
	gpgSign = true
[user]
	signingKey = x
[gpg]
	program = RUN gpg
[gpg "ssh"]
	program = RUN gpg
	defaultKeyCommand = RUN gpg
[credential]
	helper = !RUN credential
[sequence]
	editor = RUN editor
[pager]
	diff = RUN pager
	branch = RUN pager
[interactive]
	diffFilter = RUN interactive
[trailer "x"]
	command = RUN trailer
	cmd = RUN trailer
[uploadpack]
	packObjectsHook = RUN pack
[remote "origin"]
	url = ext::RUN remote
	uploadpack = RUN uploadpack
	receivepack = RUN receivepack
	promisor = true
	vcs = trap
[extensions]
	partialClone = origin
[include]
	path = included
[includeIf "gitdir:/"]
	path = included
[submodule]
	recurse = true
[submodule "inner"]
	update = !RUN submodule
	ignore = none
[gc]
	auto = 1
[receive]
	autogc = true
	denyCurrentBranch = updateInstead
`;
const hooks =
  'applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg proc-receive push-to-checkout reference-transaction sendemail-validate update'.split(
    ' ',
  );

/** A committed repository, and then the traps. Returns a function that lists what has run. */
function setTraps({ root, folder, git, put }: Workshop): () => readonly string[] {
  const notes = join(root, '../notes');
  mkdirSync(notes);
  const program = join(root, '../run');
  writeFileSync(program, `#!/bin/sh\ntouch "${notes}/$(basename "$0")-$1"\ncat\n`);
  chmodSync(program, 0o755);
  put('file.txt', 'one\n');
  put('trap.dat', 'one\n');
  put('.gitattributes', '*.dat filter=trap diff=trap merge=trap\n');
  put('inner/.keep', '');
  git('add', '-A');
  git('commit', '-qm', 'first');
  const inner = join(folder, 'inner/module');
  mkdirSync(inner);
  gitIn(inner, 'init', '--quiet');
  gitIn(inner, 'commit', '--allow-empty', '-qm', 'inner');
  git('add', 'inner/module');
  git('commit', '-qm', 'with a submodule');
  const filled = traps
    .replaceAll('RUN', program)
    .replace('HOOKS', join(folder, '.git/hooks'))
    .replace('ATTRIBUTES', join(folder, '.git/info/attributes'));
  for (const config of [join(folder, '.git/config'), join(inner, '.git/config')])
    writeFileSync(config, readFileSync(config, 'utf8') + filled);
  put('.git/included', filled.replaceAll('[include]', '[nothing]').replaceAll('[includeIf', '[nothing'));
  put('.git/info/attributes', '* filter=trap diff=trap merge=trap ident\n');
  put('.gitmodules', '[submodule "inner"]\n\tpath = inner/module\n\turl = ext::x\n\tignore = none\n');
  for (const place of [join(folder, '.git/hooks'), join(inner, '.git/hooks')]) {
    mkdirSync(place, { recursive: true });
    for (const name of hooks) {
      writeFileSync(join(place, name), `#!/bin/sh\ntouch "${notes}/hook-${name}"\n`);
      chmodSync(join(place, name), 0o755);
    }
  }
  return () => readdirSync(notes).toSorted();
}

describe('a repository full of traps', () => {
  it('springs them for plain git, so they work', () => {
    made = openWorkshop();
    const ran = setTraps(made);
    made.put('file.txt', 'two\n');
    const { git } = made;
    const tries = [['status'], ['diff', '--ext-diff'], ['add', 'file.txt'], ['commit', '-m', 'x'], ['fetch']];
    for (const args of tries) {
      try {
        git('-c', 'core.worktree=', `--work-tree=${made.folder}`, ...args);
      } catch {
        // A trap makes a bad filter, so many commands fail.
      }
    }
    expect(ran()).toEqual(expect.arrayContaining(['run-fsmonitor', 'run-process']));
  });

  it('springs none when Parley looks, stages, commits and discards [app.changes.no-programs]', async () => {
    made = openWorkshop();
    const ran = setTraps(made);
    const { changes, put, folder } = made;
    const list = (since: 'head' | 'turn') => changes.list('sebastian', session, since, never);
    await made.snapshots.take({ session, person: 'sebastian', turn: 't1', folder, signal: never });
    put('file.txt', 'two\n');
    put('inner/module/dirty.txt', 'x');
    put('new.txt', 'new\n');
    put('trap.dat', 'two\n');
    await list('turn');
    const found = await list('head');
    expect(found.files.map(({ path }) => path)).toEqual(['.gitmodules', 'file.txt', 'new.txt', 'trap.dat']);
    for (const { path } of found.files) {
      const diff = await changes.diff('sebastian', session, { path, ...found }, never);
      expect(diff.hunks).toHaveLength(1);
    }
    await changes.stage('sebastian', session, ['file.txt', 'new.txt'], true);
    await changes.stage('sebastian', session, ['new.txt'], false);
    await changes.commit('sebastian', session, 'Without traps');
    put('file.txt', 'three\n');
    await changes.discard('sebastian', session, ['file.txt', 'new.txt']);
    expect(readFileSync(join(folder, 'file.txt'), 'utf8')).toBe('two\n');
    expect(existsSync(join(folder, 'new.txt'))).toBe(false);
    await changes.switchBranch('sebastian', session, 'topic', true);
    await changes.branches('sebastian', session, never);
    await changes.startWorktree('sebastian', session, 'tree');
    expect(ran()).toEqual([]);
  });

  it('refuses to store a file past its filter [app.changes.filtered]', async () => {
    made = openWorkshop();
    made.put('.gitattributes', '*.bin filter=lfs\n');
    made.put('large.bin', 'x');
    made.put('plain.txt', 'x');
    const { changes } = made;
    await expect(changes.stage('sebastian', session, ['large.bin'], true)).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining('lfs'),
    });
    await changes.stage('sebastian', session, ['plain.txt'], true);
  });
});
