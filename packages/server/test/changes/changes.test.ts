// What a session changed, in real repositories: lists, diffs, staging, commits, and what must not happen.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChangesSince } from '@parley/protocol';
import { afterEach, describe, expect, it } from 'vitest';
import { gitIn, never, openWorkshop, session, type Workshop, type WorkshopOptions } from './repository.ts';

let open: Workshop | undefined;
function workshop(options?: WorkshopOptions): Workshop {
  open = openWorkshop(options);
  return open;
}
afterEach(() => open?.remove());

function committed(options?: WorkshopOptions): Workshop {
  const made = workshop(options);
  made.put('kept.txt', 'one\ntwo\nthree\n');
  made.put('moved.txt', 'a line\n'.repeat(30));
  made.put('gone.txt', 'bye\n');
  made.put('.gitignore', 'ignored/\n');
  made.git('add', '-A');
  made.git('commit', '-qm', 'first');
  return made;
}

const list = ({ changes }: Workshop, since: ChangesSince = 'head') =>
  changes.list('sebastian', session, since, never);
const stage = ({ changes }: Workshop, paths: readonly string[], staged = true) =>
  changes.stage('sebastian', session, paths, staged);

async function diffOf(made: Workshop, path: string) {
  const found = await list(made);
  const file = found.files.find((one) => one.path === path);
  return made.changes.diff('sebastian', session, { path, from: file?.from, ...found }, never);
}

describe('what changed', () => {
  it('lists new, changed, deleted and renamed files with their lines [app.changes.list]', async () => {
    const made = committed();
    made.put('kept.txt', 'one\n2\nthree\n');
    made.put('deep/new.txt', 'x\ny\n');
    made.put('ignored/not.txt', 'x');
    made.put('data.bin', new Uint8Array([0, 1, 2]));
    rmSync(join(made.folder, 'gone.txt'));
    renameSync(join(made.folder, 'moved.txt'), join(made.folder, 'here.txt'));
    const found = await list(made);
    expect(found).toMatchObject({ state: 'ok', branch: 'main', unfinished: null, total: 5, skipped: 0 });
    expect(found.ignored).toEqual(['ignored']);
    expect(found.files).toEqual([
      { path: 'data.bin', kind: 'added', staged: 'no' },
      { path: 'deep/new.txt', kind: 'added', added: 2, removed: 0, staged: 'no' },
      { path: 'gone.txt', kind: 'deleted', added: 0, removed: 1, staged: 'no' },
      { path: 'here.txt', from: 'moved.txt', kind: 'renamed', added: 0, removed: 0, staged: 'no' },
      { path: 'kept.txt', kind: 'modified', added: 1, removed: 1, staged: 'no' },
    ]);
    expect(await diffOf(made, 'kept.txt')).toEqual({
      path: 'kept.txt',
      binary: false,
      truncated: false,
      hunks: [{ oldStart: 1, newStart: 1, lines: [' one', '-two', '+2', ' three'] }],
    });
    expect(await diffOf(made, 'data.bin')).toMatchObject({ binary: true, hunks: [] });
    expect(await diffOf(made, 'here.txt')).toMatchObject({ hunks: [] });
  });

  it('leaves the repository as it is when somebody looks [app.changes.untouched]', async () => {
    const made = committed();
    made.put('new.txt', 'x\n');
    const state = () => [
      made.git('count-objects'),
      readFileSync(join(made.folder, '.git/index')).toString('hex'),
      made.git('status', '--porcelain'),
    ];
    const before = state();
    await made.snapshots.take({
      session,
      person: 'sebastian',
      turn: 't1',
      folder: made.folder,
      signal: never,
    });
    await list(made);
    expect(state()).toEqual(before);
    await made.snapshots.forget(session);
    expect(await list(made, 'turn')).toMatchObject({ state: 'no-snapshot' });
  });

  it('compares with the start of the last turn and of the session [app.changes.since]', async () => {
    const made = committed();
    made.put('before.txt', 'was here before\n');
    const take = (turn: string) =>
      made.snapshots.take({ session, person: 'sebastian', turn, folder: made.folder, signal: never });
    expect(await list(made, 'turn')).toMatchObject({ state: 'no-snapshot', files: [] });
    await take('t1');
    made.put('first.txt', '1\n');
    made.git('add', '-A');
    made.git('commit', '-qm', 'by the program');
    await take('t2');
    made.put('second.txt', '2\n');
    const names = async (since: ChangesSince) => (await list(made, since)).files.map(({ path }) => path);
    expect(await names('turn')).toEqual(['second.txt']);
    expect(await names('session')).toEqual(['first.txt', 'second.txt']);
    expect(await names('head')).toEqual(['second.txt']);
  });

  it('works before the first commit and with SHA-256 [app.changes.list]', async () => {
    const made = workshop({ isRepository: false });
    made.git('init', '--quiet', '--object-format=sha256');
    made.put('new.txt', 'x\n');
    expect(await list(made)).toMatchObject({ files: [{ path: 'new.txt', kind: 'added' }] });
    await stage(made, ['new.txt']);
    await stage(made, ['new.txt'], false);
    await stage(made, ['new.txt']);
    await made.changes.commit('sebastian', session, 'first');
    expect(made.git('log', '--format=%s %an <%ae>').trim()).toBe(
      'first sebastian <sebastian@parley.invalid>',
    );
    expect(await list(made)).toMatchObject({ files: [] });
  });

  it('cuts off a huge diff, and shows files whose names are hostile [app.changes.hostile]', async () => {
    const made = committed();
    const names = ['-rf', 'line\nbreak', ':(top)magic', 'tab\there', '"quoted"', 'bidi\u202Etxt', ' space '];
    for (const name of names) made.put(name, 'x\n');
    writeFileSync(Buffer.concat([Buffer.from(`${made.folder}/bad-`), Buffer.from([0xff, 0xfe])]), 'x\n');
    made.put('huge.txt', 'a rather long line of text\n'.repeat(150_000));
    made.put('long.txt', 'x'.repeat(100_000));
    const { files } = await list(made);
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(names));
    expect(files.find(({ unreadable }) => unreadable)?.path).toContain('bad-');
    for (const name of names) expect((await diffOf(made, name)).hunks[0]?.lines).toEqual(['+x']);
    const huge = await diffOf(made, 'huge.txt');
    expect([huge.truncated, huge.hunks[0]?.lines.length]).toEqual([true, 100_000]);
    expect((await diffOf(made, 'long.txt')).hunks[0]?.lines[0]).toHaveLength(4_000);
    await stage(made, names);
    expect(made.git('diff', '--cached', '--name-only', '-z').split('\0').filter(Boolean).toSorted()).toEqual(
      names.toSorted(),
    );
    await made.changes.discard('sebastian', session, names);
    expect((await list(made)).files.map(({ path }) => path)).not.toContain('-rf');
  });

  it('leaves out pipes, submodules and links to elsewhere [app.changes.hostile]', async () => {
    const made = committed();
    const inner = join(made.folder, 'inner');
    mkdirSync(inner);
    gitIn(inner, 'init', '--quiet');
    writeFileSync(join(inner, 'secret.txt'), 'x');
    gitIn(made.folder, '-c', 'core.hooksPath=/dev/null', 'status');
    symlinkSync('/etc/passwd', join(made.folder, 'link'));
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [join(made.folder, 'pipe')]);
    expect((await list(made)).files).toEqual([
      { path: 'link', kind: 'added', added: 1, removed: 0, staged: 'no' },
    ]);
    expect((await diffOf(made, 'link')).hunks[0]?.lines).toEqual(['+/etc/passwd']);
  });
});

describe('changing it', () => {
  it('stages, commits and unstages whole files [app.changes.commit]', async () => {
    const made = committed();
    made.put('kept.txt', 'changed\n');
    made.put('new.txt', 'new\n');
    // The snapshots of a look have the same objects, in another place.
    await list(made);
    await stage(made, ['kept.txt', 'new.txt']);
    made.put('new.txt', 'newer\n');
    expect((await list(made)).files).toMatchObject([
      { path: 'kept.txt', staged: 'yes' },
      { path: 'new.txt', staged: 'partly' },
    ]);
    await stage(made, ['new.txt'], false);
    made.git('config', 'user.name', 'Grace');
    made.git('config', 'user.email', 'grace@example.org');
    const { commit } = await made.changes.commit('sebastian', session, 'Change it\n\nBecause.');
    expect(made.git('log', '-1', '--format=%H %an %B', '--name-only').trim()).toBe(
      `${commit} Grace Change it\n\nBecause.\n\n\nkept.txt`,
    );
    expect((await list(made)).files).toMatchObject([{ path: 'new.txt', staged: 'no' }]);
    await made.snapshots.forget(session);
    expect(made.git('fsck', '--full', '--strict')).not.toMatch(/missing|broken/);
    await expect(made.changes.commit('sebastian', session, 'again')).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(made.git('reflog', '-1')).toContain('commit: Change it');
  });

  it('shows what was staged and changed back, because a commit would have it [app.changes.commit]', async () => {
    const made = committed();
    made.put('kept.txt', 'other\n');
    await stage(made, ['kept.txt']);
    made.put('kept.txt', 'one\ntwo\nthree\n');
    expect((await list(made)).files).toEqual([{ path: 'kept.txt', kind: 'modified', staged: 'partly' }]);
  });

  it('discards changes and new files, and nothing else [app.changes.discard]', async () => {
    const made = committed();
    made.put('kept.txt', 'changed\n');
    made.put('new/deep.txt', 'new\n');
    made.put('new/stays.txt', 'new\n');
    made.put('staged.txt', 'x');
    rmSync(join(made.folder, 'gone.txt'));
    await stage(made, ['staged.txt', 'kept.txt']);
    await made.changes.discard('sebastian', session, ['kept.txt', 'new/deep.txt', 'staged.txt', 'gone.txt']);
    expect((await list(made)).files.map(({ path }) => path)).toEqual(['new/stays.txt']);
    expect(readFileSync(join(made.folder, 'kept.txt'), 'utf8')).toBe('one\ntwo\nthree\n');
    expect(existsSync(join(made.folder, 'staged.txt'))).toBe(false);
  });

  it('finishes a merge with conflicts [app.changes.merge]', async () => {
    const made = committed();
    made.git('checkout', '-qb', 'other');
    made.put('kept.txt', 'theirs\n');
    made.git('commit', '-qam', 'theirs');
    made.git('checkout', '-q', 'main');
    made.put('kept.txt', 'ours\n');
    made.git('commit', '-qam', 'ours');
    expect(() => made.git('merge', '-q', 'other')).toThrow('Command failed');
    expect(await list(made)).toMatchObject({
      unfinished: 'merge',
      files: [{ path: 'kept.txt', conflict: true }],
    });
    const commit = () => made.changes.commit('sebastian', session, 'Merge other');
    await expect(commit()).rejects.toMatchObject({ code: 'conflict' });
    made.put('kept.txt', 'both\n');
    await stage(made, ['kept.txt']);
    await commit();
    expect(made.git('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
    expect(await list(made)).toMatchObject({ unfinished: null, files: [] });
    expect(made.git('status', '--porcelain')).toBe('');
  });

  it('says that another program uses the index [app.changes.commit]', async () => {
    const made = committed();
    made.put('kept.txt', 'changed\n');
    made.put('.git/index.lock', '');
    await expect(stage(made, ['kept.txt'])).rejects.toMatchObject({ code: 'conflict' });
  });
});

describe('where it looks', () => {
  it('says so if there is no repository [app.changes.inside]', async () => {
    const made = workshop({ isRepository: false });
    expect(await list(made)).toMatchObject({ state: 'no-repository' });
    await expect(made.changes.commit('sebastian', session, 'x')).rejects.toMatchObject({ code: 'not_found' });
    // One around the work root doesn't count.
    gitIn(join(made.root, '..'), 'init', '--quiet');
    expect(await list(made)).toMatchObject({ state: 'no-repository' });
  });

  it('shows only what is below the working directory, and not what is hidden [app.changes.inside]', async () => {
    const made = committed({ below: 'inner', hidden: ['inner/secret'] });
    made.put('outer.txt', 'x\n');
    made.put('inner/mine.txt', 'x\n');
    made.put('inner/secret/theirs.txt', 'x\n');
    expect((await list(made)).files.map(({ path }) => path)).toEqual(['mine.txt']);
    for (const path of ['../outer.txt', 'secret/theirs.txt', '', '/etc/passwd'])
      await expect(stage(made, [path])).rejects.toMatchObject({
        code: expect.stringMatching(/not_found|invalid/),
      });
    await stage(made, ['mine.txt']);
    expect(made.git('diff', '--cached', '--name-only').trim()).toBe('inner/mine.txt');
  });

  it.each(['objects', 'refs', 'index', 'HEAD', 'alternates', 'gitfile', 'commondir'])(
    'refuses a repository that leads elsewhere through its %s [app.changes.inside]',
    async (part) => {
      const made = committed();
      const elsewhere = join(made.root, '../elsewhere');
      mkdirSync(elsewhere);
      gitIn(elsewhere, 'init', '--quiet');
      const git = join(made.folder, '.git');
      if (part === 'alternates') made.put('.git/objects/info/alternates', `${elsewhere}/.git/objects\n`);
      else if (part === 'commondir') made.put('.git/commondir', `${elsewhere}/.git\n`);
      else if (part === 'gitfile') {
        rmSync(git, { recursive: true });
        made.put('.git', `gitdir: ${elsewhere}/.git\n`);
      } else {
        rmSync(join(git, part), { recursive: true });
        symlinkSync(join(elsewhere, '.git', part), join(git, part));
      }
      await expect(list(made)).rejects.toMatchObject({ code: 'forbidden' });
    },
  );
});
