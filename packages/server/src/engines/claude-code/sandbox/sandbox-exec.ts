// Builds the profile of sandbox-exec, the sandbox on macOS. If several rules match, the last one counts, so parents
// come first. Unlike on Linux, rules apply to the path that is really opened. Pure.
import type { CommandLine, WrappedCommand } from '@parley/claude-cli';
import type { PathRule } from './path-rules.ts';

export const sandboxExec = '/usr/bin/sandbox-exec';

export interface SandboxExecSetup {
  /** In order, see orderedRules. */
  readonly rules: readonly PathRule[];
  /** For temporary files: macOS has no scratch folders. */
  readonly temporary: string;
}

export function sandboxExecCommand(setup: SandboxExecSetup, { file, args }: CommandLine): WrappedCommand {
  const { temporary } = setup;
  const variables = ['TMPDIR', 'CLAUDE_CODE_TMPDIR'].map((name) => `${name}=${temporary}`);
  const inside = ['/usr/bin/env', ...variables, file, ...args];
  // sandbox-exec becomes the program itself, so there is no process in between.
  return { file: sandboxExec, args: ['-p', sandboxProfile(setup), ...inside], layers: 0 };
}

function sandboxProfile({ rules, temporary }: SandboxExecSetup): string {
  const own: readonly PathRule[] = [...rules, { path: temporary, access: 'write', isFile: false }];
  return [base, ...own.flatMap(ruleText), ''].join('\n');
}

/** Everything that is not a file works as usual, except reaching other processes. */
const base = `(version 1)
(allow default)
(deny signal)
(allow signal (target same-sandbox))
(deny process-info*)
(allow process-info* (target same-sandbox))
(deny mach-priv-task-port)
(deny file-read* file-write*)
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow file-read*
  (subpath "/usr") (subpath "/bin") (subpath "/sbin") (subpath "/opt") (subpath "/System") (subpath "/Library")
  (subpath "/Applications") (subpath "/private/etc") (subpath "/private/var/db") (subpath "/private/var/select"))
(allow file-read* file-write* file-ioctl (subpath "/dev"))`;

function ruleText({ path, access, isFile }: PathRule): readonly string[] {
  const place = `(${isFile ? 'literal' : 'subpath'} ${quoted(path)})`;
  switch (access) {
    case 'read':
      return [`(deny file-write* ${place})`, `(allow file-read* ${place})`];
    case 'write':
      return [`(allow file-read* file-write* ${place})`];
    case 'scratch':
    case 'hide':
      return [`(deny file-read* file-write* ${place})`];
    default:
      return access satisfies never;
  }
}

function quoted(path: string): string {
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
