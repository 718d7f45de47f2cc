// Which paths a sandbox lets through, which sandbox applies where, and the profile of sandbox-exec.
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import {
  type FoundSandbox,
  findSandbox,
  type NoSandbox,
} from '../../../../src/engines/claude-code/sandbox/find-sandbox.ts';
import { gitCommonFolder } from '../../../../src/engines/claude-code/sandbox/git-common-folder.ts';
import { orderedRules, type PathRule } from '../../../../src/engines/claude-code/sandbox/path-rules.ts';
import { createSandbox } from '../../../../src/engines/claude-code/sandbox/sandbox.ts';
import { sandboxExecCommand } from '../../../../src/engines/claude-code/sandbox/sandbox-exec.ts';
import { privatePaths } from '../../../../src/engines/claude-code/sandbox/system-paths.ts';
import { createWorkFolders } from '../../../../src/engines/claude-code/work-folders.ts';
import { found, type Machine, openMachine, secret } from './probes.ts';

const rule = (access: PathRule['access'], path: string, isFile = false): PathRule => ({
  access,
  path,
  isFile,
});
const lines = (rules: readonly PathRule[]) => rules.map(({ access, path }) => `${access} ${path}`);

describe('system folders', () => {
  it('hide what only some users may read, and what is too deep to look at', async () => {
    const root = await mkdtemp(join(tmpdir(), 'parley-etc-'));
    onTestFinished(() => rm(root, { recursive: true }));
    const deep = join(root, 'a/b/c/d/e/f/g');
    await mkdir(join(deep, 'h'), { recursive: true });
    for (const [file, mode] of [
      ['open', 0o644],
      ['shut', 0o640],
      ['a/shut', 0o600],
    ] as const)
      await writeFile(join(root, file), '', { mode });
    expect(lines(await privatePaths(root)).sort()).toEqual([
      `hide ${deep}`,
      `hide ${root}/a/shut`,
      `hide ${root}/shut`,
    ]);
  });
});

describe('rules for paths', () => {
  it('are ordered from the top, and hide only what would be visible', () => {
    expect(
      lines(
        orderedRules([
          rule('write', '/home/ada/code'),
          rule('hide', '/home/ada/.parley'),
          rule('hide', '/opt/parley'),
          rule('hide', '/opt/parley/demo'),
          rule('read', '/opt'),
          rule('write', '/opt/parley/people/ada'),
          rule('hide', '/tmp/parley'),
          rule('scratch', '/tmp'),
        ]),
      ),
    ).toEqual([
      'read /opt',
      'scratch /tmp',
      'hide /opt/parley',
      'write /home/ada/code',
      'write /opt/parley/people/ada',
    ]);
  });

  it('pin every folder on the way to something hidden', () => {
    const rules = [rule('write', '/home/ada'), rule('hide', '/home/ada/a/b/notes')];
    expect(lines(orderedRules(rules))).toEqual([
      'write /home/ada',
      'write /home/ada/a',
      'write /home/ada/a/b',
      'hide /home/ada/a/b/notes',
    ]);
  });

  it('become a profile of sandbox-exec in which the last rule counts', () => {
    const rules = orderedRules([
      rule('scratch', '/Users/ada'),
      rule('read', '/Users/ada/.gitconfig', true),
      rule('write', '/Users/ada/code'),
      rule('hide', '/Users/ada/code/a "quoted" \\ folder'),
    ]);
    const command = { file: '/usr/local/bin/claude', args: ['--version'] };
    const wrapped = sandboxExecCommand({ rules, temporary: '/Users/ada/.claude/tmp' }, command);
    expect([wrapped.file, wrapped.layers, wrapped.args.slice(2)]).toEqual([
      '/usr/bin/sandbox-exec',
      0,
      [
        '/usr/bin/env',
        'TMPDIR=/Users/ada/.claude/tmp',
        'CLAUDE_CODE_TMPDIR=/Users/ada/.claude/tmp',
        '/usr/local/bin/claude',
        '--version',
      ],
    ]);
    const profile = wrapped.args[1] ?? '';
    expect(profile.slice(0, 26)).toBe('(version 1)\n(allow default');
    // Nothing is allowed before everything is denied.
    expect(profile.indexOf('(deny file-read* file-write*)')).toBeLessThan(
      profile.indexOf('(allow file-read*'),
    );
    expect(profile.split('\n').slice(-7, -1)).toEqual([
      '(deny file-read* file-write* (subpath "/Users/ada"))',
      '(deny file-write* (literal "/Users/ada/.gitconfig"))',
      '(allow file-read* (literal "/Users/ada/.gitconfig"))',
      '(allow file-read* file-write* (subpath "/Users/ada/code"))',
      '(deny file-read* file-write* (subpath "/Users/ada/code/a \\"quoted\\" \\\\ folder"))',
      '(allow file-read* file-write* (subpath "/Users/ada/.claude/tmp"))',
    ]);
    expect(profile.split('(').length).toBe(profile.split(')').length);
  });
});

describe('which sandbox applies', () => {
  const works: FoundSandbox = { kind: 'sandbox-exec' };
  const missing: NoSandbox = { kind: 'none', reason: 'missing' };
  const roots = [
    { path: '/srv/work' },
    { path: '/srv/work/strict', sandbox: 'required' as const },
    { path: '/srv/work/strict/loose', sandbox: 'off' as const },
  ];

  it('depends on the innermost work root, and on the machine [code.sandbox.modes] [code.sandbox.shown]', () => {
    const kinds = (with_: FoundSandbox) => {
      const folders = createWorkFolders({ roots, sandbox: 'auto', found: () => with_ });
      return ['/srv/work/app', '/srv/work/strict/app', '/srv/work/strict/loose'].map((path) =>
        folders.sandboxOf(path),
      );
    };
    expect(kinds(works)).toEqual([
      { kind: 'sandbox-exec', required: false },
      { kind: 'sandbox-exec', required: true },
      { kind: 'none', reason: 'off', required: false },
    ]);
    expect(kinds(missing)).toEqual([
      { kind: 'none', reason: 'missing', required: false },
      { kind: 'none', reason: 'missing', required: true },
      { kind: 'none', reason: 'off', required: false },
    ]);
  });

  it('is tried out, and says whether it is missing, forbidden or unknown on the system [code.sandbox.modes]', async () => {
    expect(await findSandbox('/nowhere')).toEqual({ kind: 'none', reason: 'missing' });
    expect(await findSandbox('/usr/bin', 'win32')).toEqual({ kind: 'none', reason: 'unsupported' });
    const machine = await openMachine();
    const { root } = machine;
    const folder = join(root, 'folder');
    await mkdir(join(folder, 'bwrap'), { recursive: true });
    expect(await findSandbox(folder)).toEqual({ kind: 'none', reason: 'missing' });
    const bwrap = '#!/bin/sh\necho "bwrap: No permissions to create a new namespace" >&2; exit 1\n';
    await writeFile(join(root, 'bwrap'), bwrap, { mode: 0o755 });
    expect(await findSandbox(`${folder}:${root}`)).toEqual({
      kind: 'none',
      reason: 'forbidden',
      detail: 'bwrap: No permissions to create a new namespace',
    });
    await machine.close();
  });

  it('starts nothing where one is required and missing, with a message that says what to do [code.sandbox.modes]', async () => {
    const machine = await openMachine();
    const { root, home, project } = machine;
    const folders = createWorkFolders({ roots: [{ path: root }], sandbox: 'required', found: () => missing });
    const options = { folders, hidden: [], readable: [], host: {} };
    const confined = { person: 'ada', home, workingDir: project, mcpConfig: undefined };
    await expect(createSandbox({ ...options, found: () => missing }).confine(confined)).rejects.toMatchObject(
      {
        code: 'unavailable',
        message: expect.stringContaining('apt install bubblewrap'),
      },
    );
    const auto = createWorkFolders({ roots: [{ path: root }], sandbox: 'auto', found: () => missing });
    const open = createSandbox({ ...options, folders: auto, found: () => missing });
    expect(await open.confine(confined)).toBeUndefined();
    await machine.close();
  });
});

describe('work roots for some people', () => {
  it('do not exist for others, whatever is around them [code.session.root-people]', async () => {
    const machine = await openMachine();
    const { root, foreign, project } = machine;
    const roots = [{ path: join(root, 'work') }, { path: foreign, people: ['bea'] }];
    const folders = createWorkFolders({ roots });
    expect(await folders.check('ada', project)).toBe(project);
    expect(await folders.check('bea', foreign)).toBe(foreign);
    const refused = { code: 'forbidden', message: expect.not.stringContaining('beas)') };
    await expect(folders.check('ada', foreign)).rejects.toMatchObject(refused);
    await expect(folders.check('ada', join(foreign, 'none'))).rejects.toMatchObject(refused);
    const names = async (person: string, path?: string) =>
      (await folders.listDirectories(person, path)).folders.map(({ name }) => name);
    expect(await names('ada')).toEqual(['work']);
    expect(await names('ada', join(root, 'work'))).toEqual(['mine', 'other']);
    expect(await names('bea')).toEqual(['work', 'beas']);
    await expect(
      createWorkFolders({ roots: [{ path: foreign, people: ['bea'] }] }).listDirectories('ada'),
    ).rejects.toMatchObject({ code: 'forbidden' });
    await machine.close();
  });
});

describe('the repository of a linked working tree', () => {
  let machine: Machine;
  let main: string;
  let tree: string;
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example', ...args], { cwd: folder });
  beforeAll(async () => {
    machine = await openMachine();
    main = join(machine.root, 'work', 'main');
    tree = join(machine.root, 'work', 'tree');
    await mkdir(main);
    git(main, 'init', '-q', '-b', 'main');
    git(main, 'commit', '-q', '--allow-empty', '-m', 'First');
    git(main, 'worktree', 'add', '-q', tree);
  });
  afterAll(() => machine.close());

  it('counts only below the same work root, and if it knows the working tree [code.sandbox.git]', async () => {
    const work = join(machine.root, 'work');
    expect(await gitCommonFolder(tree, work)).toBe(join(main, '.git'));
    expect(await gitCommonFolder(main, work)).toBeUndefined();
    expect(await gitCommonFolder(tree, tree)).toBeUndefined();
    // A program writes whatever it likes into the file of its own folder.
    const claim = await readFile(join(tree, '.git'), 'utf8');
    await writeFile(join(machine.project, '.git'), claim);
    expect(await gitCommonFolder(machine.project, work)).toBeUndefined();
    await symlink(join(main, '.git', 'worktrees'), join(machine.project, 'worktrees'));
    await writeFile(join(machine.project, '.git'), `gitdir: ${join(machine.project, 'worktrees', 'tree')}`);
    expect(await gitCommonFolder(machine.project, work)).toBeUndefined();
  });

  it.runIf(found.kind === 'bubblewrap')(
    'can be used from inside (bubblewrap works here) [code.sandbox.git]',
    async () => {
      const script =
        'git -c user.name=Ada -c user.email=ada@example commit -q --allow-empty -m Inside && git log --oneline | wc -l';
      expect(await machine.run(script, { workingDir: tree })).toEqual({ code: 0, output: '2\n' });
      expect((await machine.run(`ls ${main}`, { workingDir: tree })).output).toBe('');
    },
  );

  it.runIf(found.kind === 'bubblewrap')(
    'and what is hidden stays hidden when folders around it are renamed (bubblewrap works here) [code.sandbox.escapes]',
    async () => {
      const { root, foreign } = machine;
      const deep = join(root, 'work', 'deep', 'down');
      await mkdir(deep, { recursive: true });
      await rename(foreign, join(deep, 'beas'));
      const roots = [{ path: join(root, 'work') }, { path: join(deep, 'beas'), people: ['bea'] }];
      const folders = createWorkFolders({ roots, sandbox: 'auto', found: () => found });
      const sandbox = createSandbox({ found: () => found, folders, hidden: [], readable: [], host: {} });
      const workingDir = join(root, 'work');
      const what = { person: 'ada', home: machine.home, workingDir, mcpConfig: undefined };
      const wrap = await sandbox.confine(what);
      const script =
        'cat deep/down/beas/secret.txt; mv deep shallow; mv deep/down up; mv deep/down/beas here';
      const { file, args } = wrap?.({ file: '/bin/sh', args: ['-c', script] }) ?? { file: '', args: [] };
      let said = '';
      try {
        execFileSync(file, args, { cwd: workingDir, stdio: 'pipe' });
      } catch (error) {
        said = String((error as { stderr?: Buffer }).stderr);
      }
      expect(said.match(/Device or resource busy/g)).toHaveLength(3);
      expect(said).not.toContain(secret);
      expect(await readFile(join(deep, 'beas', 'secret.txt'), 'utf8')).toBe(secret);
    },
  );
});
