// Builds the command line of bubblewrap, the sandbox on Linux: separate namespaces for users, processes, mounts and
// IPC, no capabilities, and only the paths in the rules. The network is the host's. Everything inside ends with the
// process that started it. Pure.
import type { CommandLine, WrappedCommand } from '@parley/claude-cli';
import type { PathRule } from './path-rules.ts';
import type { SystemPaths } from './system-paths.ts';

/** A folder as it was when the rules were made. */
export interface Identity {
  readonly path: string;
  /** Device and inode, as `stat -c %d:%i` prints them. */
  readonly id: string;
}

export interface BubblewrapSetup {
  /** Path of the program `bwrap`. */
  readonly bwrap: string;
  /** Whether this version can keep programs from making user namespaces. */
  readonly canLockUsers: boolean;
  readonly links: SystemPaths['links'];
  /** In order, see orderedRules. */
  readonly rules: readonly PathRule[];
  /** In addition to those of the process. */
  readonly variables: Readonly<Record<string, string>>;
  readonly workingDir: string;
  /** Bubblewrap resolves paths again, so the program starts only if these still lead to the same folders. */
  readonly same: readonly Identity[];
}

export function bubblewrapCommand(setup: BubblewrapSetup, command: CommandLine): WrappedCommand {
  const { bwrap, links, rules, variables, workingDir, same } = setup;
  const args = [
    ...isolation,
    ...(setup.canLockUsers ? ['--disable-userns'] : []),
    ...['TMPDIR', 'TMP', 'TEMP'].flatMap((name) => ['--unsetenv', name]),
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    ...rules.flatMap(mount),
    ...rules.flatMap(({ path, access, isFile }) =>
      access === 'hide' && !isFile ? ['--remount-ro', path] : [],
    ),
    // Otherwise programs could write to any other path, which would exist only in memory.
    '--remount-ro',
    '/',
    '--chdir',
    workingDir,
    '--',
    ...checked(same, command),
  ];
  return { file: bwrap, args, layers: 2 };
}

const isolation = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--cap-drop',
  'ALL',
  '--die-with-parent',
];

function mount({ path, access, isFile }: PathRule): readonly string[] {
  switch (access) {
    case 'read':
      return ['--ro-bind', path, path];
    case 'write':
      return ['--bind', path, path];
    case 'scratch':
      return ['--tmpfs', path];
    case 'hide':
      return isFile ? ['--ro-bind', '/dev/null', path] : ['--tmpfs', path];
    default:
      return access satisfies never;
  }
}

/** Exits before the program starts if a path leads to another folder by now. */
function checked(same: readonly Identity[], { file, args }: CommandLine): readonly string[] {
  const ids = same.map(({ id }) => id).join('\n');
  const paths = same.map(({ path }) => path);
  return ['/bin/sh', '-c', checkScript, 'sandbox', ids, String(paths.length), ...paths, file, ...args];
}

const checkScript = `
expected=$1; count=$2; shift 2; found=
while [ "$count" -gt 0 ]; do
  id=$(PATH=/usr/bin:/bin:/run/current-system/sw/bin stat -c %d:%i "$1") || exit 126
  found="$found\${found:+
}$id"
  count=$((count - 1)); shift
done
[ "$found" = "$expected" ] || { echo 'The folder was replaced while the program started.' >&2; exit 126; }
exec "$@"
`;
