// Decides what a `claude` process can reach: the working directory, the person's own program home, and the system,
// read-only. It can't reach Parley's data or anything of other people.
import { constants } from 'node:fs';
import { mkdir, open, readlink } from 'node:fs/promises';
import { dirname, isAbsolute, join } from 'node:path';
import type { CommandLine, Wrap } from '@parley/claude-cli';
import { ParleyError, type PersonName, type SandboxView, say } from '@parley/protocol';
import { realPathOf } from '../../../basics/real-path.ts';
import type { SandboxMode, WorkFolders } from '../../../domain/work-folders.ts';
import type { ConfinedHome, ProgramHome, Variables } from '../program-home.ts';
import { bubblewrapCommand, type Identity } from './bubblewrap.ts';
import type { FoundSandbox, NoSandbox } from './find-sandbox.ts';
import { gitCommonFolder } from './git-common-folder.ts';
import { orderedRules, type PathRule, rulesFor } from './path-rules.ts';
import { sandboxExecCommand } from './sandbox-exec.ts';

export interface SandboxOptions {
  readonly found: () => FoundSandbox;
  readonly folders: Pick<WorkFolders, 'sandboxOf' | 'rootOf' | 'foreignRoots'>;
  /** Parley's own files and folders, and everybody's notes. */
  readonly hidden: readonly string[];
  /** More paths that programs may read, such as tools in a home folder. */
  readonly readable: readonly string[];
  /** The variables of the host: some name files that programs read. */
  readonly host: Variables;
}

export interface Confined {
  readonly person: PersonName;
  readonly home: ProgramHome;
  /** A real path. */
  readonly workingDir: string;
  /** If it is a path, the program reads the file. */
  readonly mcpConfig: unknown;
}

export interface Sandbox {
  /** How to start a program; undefined if it runs without a sandbox. `unavailable` if one is required and there is none. */
  confine(what: Confined): Promise<Wrap | undefined>;
}

/** The sandbox that applies to folders with this mode. */
export function sandboxView(mode: SandboxMode, found: FoundSandbox): SandboxView {
  const required = mode === 'required';
  if (mode === 'off') return { kind: 'none', reason: 'off', required };
  return found.kind === 'none'
    ? { kind: 'none', reason: found.reason, required }
    : { kind: found.kind, required };
}

export function createSandbox(options: SandboxOptions): Sandbox {
  const { folders, hidden, readable, host } = options;

  /** Later rules for the same path win, so a person can use their own paths even inside hidden folders. */
  async function ownRules(
    { person, mcpConfig }: Confined,
    { scratch, write, read }: ConfinedHome,
  ): Promise<readonly PathRule[]> {
    const named = ['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'].map((name) => host[name]);
    const files = typeof mcpConfig === 'string' && isAbsolute(mcpConfig) ? [mcpConfig] : [];
    const foreign = await folders.foreignRoots(person);
    const rules = await Promise.all([
      rulesFor('scratch', await realPaths(scratch)),
      rulesFor('hide', await realPaths([...hidden, ...foreign])),
      rulesFor('read', await realPaths([...readable, ...read, ...named, ...files, process.execPath])),
      rulesFor('write', await realPaths(write)),
    ]);
    return rules.flat();
  }

  return {
    async confine(what) {
      const { workingDir, home } = what;
      const found = options.found();
      const { kind, required } = folders.sandboxOf(workingDir);
      if (kind === 'none') {
        if (required) throw missing(found);
        return undefined;
      }
      if ((await realPaths(hidden)).includes(workingDir)) throw ownFolder(workingDir);
      if (found.kind !== 'bubblewrap') {
        const own = await ownRules(what, await home.prepareConfined('sandbox-exec'));
        const temporary = join(home.config, 'tmp');
        await mkdir(temporary, { recursive: true, mode: 0o700 });
        const rules = [...own, ...(await rulesFor('write', [workingDir]))];
        return (command) =>
          sandboxExecCommand(
            { rules: orderedRules([...rules, ...programRules(command)]), temporary },
            command,
          );
      }
      const confined = await home.prepareConfined('bubblewrap');
      const own = await ownRules(what, confined);
      const { bwrap, canLockUsers, system } = found;
      const root = await folders.rootOf(workingDir);
      const repository = root === undefined ? undefined : await gitCommonFolder(workingDir, root);
      const writable = repository === undefined ? [workingDir] : [repository, workingDir];
      const same = await Promise.all(writable.map(identify));
      const rules = [
        ...(await rulesFor('scratch', ['/tmp', '/var/tmp'])),
        ...system.rules,
        ...own,
        ...(await rulesFor('write', writable)),
      ];
      const { variables } = confined;
      const setup = { bwrap, canLockUsers, links: system.links, variables, workingDir, same };
      return (command) =>
        bubblewrapCommand({ ...setup, rules: orderedRules([...rules, ...programRules(command)]) }, command);
    },
  };
}

/** The program may read itself, and if it is a script that runs in this Node, the script's folder. */
function programRules({ file, args: [script = ''] }: CommandLine): readonly PathRule[] {
  const program: PathRule = { path: file, access: 'read', isFile: true };
  if (file !== process.execPath || !isAbsolute(script)) return [program];
  return [program, { path: dirname(script), access: 'read', isFile: false }];
}

function realPaths(paths: readonly (string | undefined)[]): Promise<readonly string[]> {
  return Promise.all(paths.filter((path) => path !== undefined).map(realPathOf));
}

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;

/**
 * Identifies the folder that a path leads to right now, by device and inode. Checks the opened folder, because a program
 * that can write to a folder above could replace part of the path with a link at any moment. `path` has no symbolic
 * links, as far as the caller knows. Linux only.
 */
async function identify(path: string): Promise<Identity> {
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if ((await readlink(`/proc/self/fd/${handle.fd}`)) !== path) throw replaced(path);
    const { dev, ino } = await handle.stat({ bigint: true });
    return { path, id: `${dev}:${ino}` };
  } finally {
    await handle.close();
  }
}

function replaced(path: string): ParleyError {
  return new ParleyError('conflict', `${path} has just been replaced by something else. Try again.`);
}

function ownFolder(path: string): ParleyError {
  return new ParleyError('forbidden', `Programs can't work in ${path}: it is one of Parley's own folders.`);
}

function missing(found: FoundSandbox): ParleyError {
  const reason = found.kind === 'none' ? found.reason : 'missing';
  return new ParleyError(
    'unavailable',
    `Programs may work in this folder only in a sandbox, and none is available: ${noSandboxText(reason)}`,
  );
}

/** Why there is no sandbox, and what to do about it. */
export function noSandboxText(reason: NoSandbox['reason']): string {
  switch (reason) {
    case 'missing':
      return say`bubblewrap is not installed. Install it, for example with \`apt install bubblewrap\`, and restart Parley.`;
    case 'forbidden':
      return say`this machine does not permit sandboxing. In a container, user namespaces have to be allowed; \`parley doctor\` shows what the system says.`;
    case 'unsupported':
      return say`sandboxes are available only on Linux and macOS.`;
    default:
      return reason satisfies never;
  }
}
