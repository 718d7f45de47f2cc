// Where Claude Code may work, and what the folder picker shows.
import { execFile, execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createWorkFolders } from '../../../src/engines/claude-code/work-folders.ts';

const run = promisify(execFile);

describe('working directories', () => {
  let base: string;
  let root: string;
  beforeEach(async () => {
    base = await realpath(await mkdtemp(join(tmpdir(), 'parley-roots-')));
    root = join(base, 'projects');
    for (const name of ['app/src', 'lib', '.hidden']) await mkdir(join(root, name), { recursive: true });
    await mkdir(join(base, 'projects-evil'));
    await writeFile(join(root, 'file.txt'), '');
    await symlink(base, join(root, 'way-out'));
    await symlink(join(root, 'app'), join(base, 'way-in'));
  });
  afterEach(() => rm(base, { recursive: true, force: true }));

  it('are judged by the real path', async () => {
    const folders = createWorkFolders({ roots: [{ path: root }] });
    const check = (path: string) => folders.check('ada', path);
    expect(await check(join(root, 'app', '..', 'lib'))).toBe(join(root, 'lib'));
    expect(await check(join(base, 'way-in'))).toBe(join(root, 'app'));
    for (const path of [
      base,
      join(base, 'projects-evil'),
      join(root, 'way-out'),
      join(root, '..'),
      join(base, 'none'),
    ]) {
      await expect(check(path)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('PARLEY_WORK_ROOTS'),
      });
    }
    await expect(check(join(root, 'file.txt'))).rejects.toMatchObject({ code: 'invalid' });
    await expect(check('app')).rejects.toMatchObject({ code: 'invalid' });
    await expect(check(`${root}\0`)).rejects.toMatchObject({ code: 'invalid' });
  });

  it('do not exist without configured roots, and the error says how to add some', async () => {
    const folders = createWorkFolders({ roots: [] });
    const refusal = { code: 'forbidden', message: expect.stringContaining('PARLEY_WORK_ROOTS') };
    await expect(folders.check('ada', root)).rejects.toMatchObject(refusal);
    await expect(folders.listDirectories('ada')).rejects.toMatchObject(refusal);
  });

  it('are listed from the roots down, folders only', async () => {
    const folders = createWorkFolders({ roots: [{ path: root }, { path: join(base, 'gone') }] });
    expect(await folders.listDirectories('ada')).toMatchObject({
      path: undefined,
      folders: [{ name: 'projects', path: root }],
    });
    const top = await folders.listDirectories('ada', root);
    expect(top).toMatchObject({ path: root, parent: undefined, isCut: false });
    expect(top.folders.map(({ name }) => name)).toEqual(['app', 'lib']);
    expect(await folders.listDirectories('ada', join(root, 'app'))).toMatchObject({
      parent: root,
      folders: [{ name: 'src', git: undefined }],
    });
    await expect(folders.listDirectories('ada', base)).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('show the branch and whether something is uncommitted', async () => {
    const app = join(root, 'app');
    const git = (...args: string[]) => execFileSync('git', ['-C', app, ...args], { stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    const state = async () => {
      const { folders } = await createWorkFolders({ roots: [{ path: root }] }).listDirectories('ada', root);
      return folders.find(({ name }) => name === 'app')?.git;
    };
    expect(await state()).toEqual({ branch: 'main', isDirty: false });
    await writeFile(join(app, 'new.txt'), '');
    git('checkout', '-q', '-b', 'feature/x');
    expect(await state()).toEqual({ branch: 'feature/x', isDirty: true });
  });

  it("do not run commands from a folder's git configuration", async () => {
    const app = join(root, 'app');
    const git = (...args: string[]) => execFileSync('git', ['-C', app, ...args], { stdio: 'pipe' });
    git('init', '-q', '-b', 'main');
    await writeFile(join(app, 'note.txt'), 'old');
    git('add', 'note.txt');
    await writeFile(join(app, 'note.txt'), 'new');
    const trap = join(base, 'sprung');
    const list = async () => {
      const { folders } = await createWorkFolders({ roots: [{ path: root }] }).listDirectories('ada', root);
      await expect(realpath(trap)).rejects.toThrow('ENOENT');
      return folders.find(({ name }) => name === 'app')?.git;
    };
    git('config', 'core.fsmonitor', `touch ${trap}; false`);
    expect(await list()).toEqual({ branch: 'main', isDirty: true });

    await writeFile(join(app, '.git', 'info', 'attributes'), '* filter=trap');
    git('config', 'filter.trap.clean', `touch ${trap}`);
    expect(await list()).toEqual({ branch: 'main', isDirty: undefined });
    git('config', '--unset', 'filter.trap.clean');
    await writeFile(join(base, 'more.config'), `[filter "trap"]\n\tprocess = touch ${trap}\n`);
    git('config', 'include.path', join(base, 'more.config'));
    expect(await list()).toEqual({ branch: 'main', isDirty: undefined });
  });

  it('are listed even if a pipe replaces a file that git reads', async () => {
    await mkdir(join(root, 'lib', '.git'));
    await run('mkfifo', [join(root, 'app', '.git'), join(root, 'lib', '.git', 'HEAD')]);
    const { folders } = await createWorkFolders({ roots: [{ path: root }] }).listDirectories('ada', root);
    expect(folders.map(({ name, git }) => [name, git])).toEqual([
      ['app', undefined],
      ['lib', undefined],
    ]);
  });
});
