// A machine with Parley's data, notes, two people and their work folders, and programs that look around in the sandbox of
// one of them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Wrap } from '@parley/claude-cli';
import type { WorkRoot } from '../../../../src/domain/work-folders.ts';
import { type ProgramHome, separateHome } from '../../../../src/engines/claude-code/program-home.ts';
import { type FoundSandbox, findSandbox } from '../../../../src/engines/claude-code/sandbox/find-sandbox.ts';
import { createSandbox, type Sandbox } from '../../../../src/engines/claude-code/sandbox/sandbox.ts';
import { createWorkFolders } from '../../../../src/engines/claude-code/work-folders.ts';

/** The sandbox of this machine. Tests that need it run only if it works. */
export const found: FoundSandbox = await findSandbox(process.env['PATH']);

export const secret = 'a secret of somebody else';

export interface Machine {
  readonly root: string;
  /** Parley's folder. */
  readonly parley: string;
  readonly notes: string;
  /** The work folder of Ada, one next to it, and one that is Bea's. */
  readonly project: string;
  readonly sibling: string;
  readonly foreign: string;
  readonly home: ProgramHome;
  readonly sandbox: Sandbox;
  wrap(workingDir?: string): Promise<Wrap>;
  /** Runs a script in the sandbox; resolves when it has ended. */
  run(script: string, options?: { readonly workingDir?: string }): Promise<Ran>;
  close(): Promise<void>;
}

export interface Ran {
  readonly code: number;
  readonly output: string;
}

export async function openMachine(extra: (root: string) => readonly WorkRoot[] = () => []): Promise<Machine> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'parley-sandbox-')));
  const [parley, notes, work] = ['parley', 'notes', 'work'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  const [project, sibling, foreign] = ['mine', 'other', 'beas'].map((name) => join(work, name)) as [
    string,
    string,
    string,
  ];
  const beasHome = join(parley, 'people', 'bea', 'claude');
  for (const folder of [join(notes, 'bea'), project, sibling, foreign, join(beasHome, '.claude')]) {
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'secret.txt'), secret);
  }
  await writeFile(join(parley, 'parley.db'), secret);
  await writeFile(join(project, 'secret.txt'), 'of Ada');
  const home = await separateHome(join(parley, 'people', 'ada', 'claude'), {});
  const roots: WorkRoot[] = [{ path: work }, { path: foreign, people: ['bea'] }, ...extra(root)];
  const folders = createWorkFolders({ roots, found: () => found, sandbox: 'auto' });
  const sandbox = createSandbox({
    found: () => found,
    folders,
    hidden: [parley, notes],
    readable: [],
    host: {},
  });
  const wrap = async (workingDir = project) => {
    const wrapped = await sandbox.confine({ person: 'ada', home, workingDir, mcpConfig: undefined });
    if (!wrapped) throw new Error('there is no sandbox');
    return wrapped;
  };
  return {
    root,
    parley,
    notes,
    project,
    sibling,
    foreign,
    home,
    sandbox,
    wrap,
    run: async (script, { workingDir } = {}) =>
      spawnIn(await wrap(workingDir), script, workingDir ?? project, home),
    close: () => rm(root, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function spawnIn(wrap: Wrap, script: string, cwd: string, home: ProgramHome): Promise<Ran> {
  const { file, args } = wrap({ file: '/bin/sh', args: ['-c', script] });
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home.variables['HOME'] };
  return new Promise((resolve) => {
    execFile(file, [...args], { cwd, env, timeout: 60_000 }, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : -1) : 0;
      resolve({ code, output: `${stdout}${stderr}` });
    });
  });
}
