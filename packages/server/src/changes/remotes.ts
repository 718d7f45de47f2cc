// Pulls and pushes. The address comes from the repository, everything else from us: no helper, proxy or command of its
// configuration is used. A repository on this machine has to be inside the person's work folders; one elsewhere is only for
// the person whose home Parley runs in, with the keys and the git configuration of that home.

import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BranchRemote, ParleyError } from '@parley/protocol';
import { isAncestor, moveForward } from './branches.ts';
import type { Author } from './change-files.ts';
import type { ContentRun, PrivateGit } from './private-git.ts';

export interface RemoteRules {
  /** Whether the person may work in a folder. */
  readonly isAllowed: (path: string) => Promise<boolean>;
  /** Variables that lead to the person's own keys; undefined for people who have none on this machine. */
  readonly own: Readonly<Record<string, string>> | undefined;
  /** Rejects while a turn works in the working tree, whose files must not be replaced then. */
  readonly requireIdle: (git: PrivateGit) => Promise<void>;
}

interface Remote {
  readonly name: string;
  readonly url: string;
  /** The branch on the remote. */
  readonly branch: string;
}

const networkMs = 120_000;

function remoteOf(git: PrivateGit, branch: string): Remote | undefined {
  const { remote: name, branch: theirs } = git.config.upstream(branch) ?? { remote: 'origin', branch };
  const url = git.config.remote(name);
  return url === undefined || !/^[\w.-]+$/.test(name) ? undefined : { name, url, branch: theirs };
}

/** As known since the last pull or push. Null if there is no remote. */
export async function remoteState(
  git: PrivateGit,
  branch: string,
  signal?: AbortSignal,
): Promise<BranchRemote | null> {
  const remote = remoteOf(git, branch);
  if (!remote) return null;
  const { name, url } = remote;
  const known = await git.runOnRefs(['rev-parse', '--verify', '--quiet', trackingRef(remote)], {
    okExitCodes: [1],
    signal,
  });
  const there = known.output.toString().trim();
  if (there === '' || git.head === undefined)
    return { name, url: withoutSecrets(url), ahead: null, behind: null };
  const counts = await git.runOnContent(['rev-list', '--left-right', '--count', `${git.head}...${there}`], {
    signal,
  });
  const [ahead = 0, behind = 0] = counts.output.toString().trim().split('\t').map(Number);
  return { name, url: withoutSecrets(url), ahead, behind };
}

/** `conflict` if the remote has commits that are not here. */
export async function push(git: PrivateGit, rules: RemoteRules): Promise<void> {
  const remote = await currentRemote(git);
  if (git.head === undefined) throw nothingToPush;
  const { args, url, run } = await routeTo(git, remote, rules, 'receive-pack');
  const target = `${git.head}:refs/heads/${remote.branch}`;
  const { exitCode, output, errors } = await git.runOnContent(
    ['push', '--porcelain', '--no-verify', '--recurse-submodules=no', ...args, '--', url, target],
    { ...run, okExitCodes: [1, 128] },
  );
  if (exitCode !== 0) {
    const cause = new Error(errors);
    if (/^!.*(fetch first|non-fast-forward)/m.test(output.toString()))
      throw new ParleyError('conflict', 'The remote has commits that are not here. Pull first.', { cause });
    throw new ParleyError('unavailable', 'The remote refused, or could not be reached.', { cause });
  }
  await git.runOnRefs(['update-ref', trackingRef(remote), git.head]);
}

/** True if there was something new. `conflict` if both sides have commits of their own. */
export async function pull(git: PrivateGit, rules: RemoteRules, author: Author): Promise<boolean> {
  const remote = await currentRemote(git);
  const { args, url, run } = await routeTo(git, remote, rules, 'upload-pack');
  const kept = 'refs/parley/fetched';
  const { exitCode, errors } = await git.runOnContent(
    [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--no-recurse-submodules',
      ...args,
      '--',
      url,
      `+refs/heads/${remote.branch}:${kept}`,
    ],
    { ...run, writes: 'repository', okExitCodes: [1, 128] },
  );
  if (exitCode !== 0)
    throw new ParleyError('unavailable', 'The remote could not be reached, or has no such branch.', {
      cause: new Error(errors),
    });
  const there = (await git.runOnContent(['rev-parse', '--verify', kept])).output.toString().trim();
  await git.runOnRefs(['update-ref', trackingRef(remote), there]);
  const { head } = git;
  if (head !== undefined && (await isAncestor(git, there, head))) return false;
  if (head !== undefined && !(await isAncestor(git, head, there))) throw diverged;
  // A turn may have started meanwhile.
  await rules.requireIdle(git);
  await moveForward(git, there, `pull: ${remote.name}`, author);
  return true;
}

async function currentRemote(git: PrivateGit): Promise<Remote> {
  const branch = await git.branch();
  const remote = branch === null ? undefined : remoteOf(git, branch);
  if (!remote) throw noRemote;
  return remote;
}

function trackingRef({ name, branch }: Remote): string {
  return `refs/remotes/${name}/${branch}`;
}

async function routeTo(
  git: PrivateGit,
  { url }: Remote,
  { isAllowed, own }: RemoteRules,
  command: 'receive-pack' | 'upload-pack',
): Promise<{ readonly url: string; readonly args: readonly string[]; readonly run: ContentRun }> {
  const shallow = join(git.repository.common, 'shallow');
  const shared = existsSync(shallow) ? { GIT_SHALLOW_FILE: shallow } : {};
  if (/^(https?|ssh):\/\//i.test(url) || /^[\w.-]+@[\w.-]+:/.test(url)) {
    if (!own) throw notYours;
    const variables = {
      ...shared,
      ...own,
      GIT_ALLOW_PROTOCOL: 'http:https:ssh',
      GIT_SSH_COMMAND: 'ssh -oBatchMode=yes',
    };
    return { url, args: [], run: { variables, timeoutMs: networkMs } };
  }
  if (/^[\w+.-]+::?/.test(url) && !url.startsWith('file://')) throw unsupported;
  const path = await realpath(
    url.startsWith('file://') ? fileURLToPath(url) : resolve(git.repository.top, url),
  ).catch(() => undefined);
  if (path === undefined || !(await isAllowed(path))) throw elsewhere;
  // The repository at the other end has a configuration and hooks too.
  const program = ['git', ...off.flatMap((setting) => ['-c', setting]), command].join(' ');
  return {
    url: path,
    args: [`--${command}=${program}`],
    run: { variables: { ...shared, GIT_ALLOW_PROTOCOL: 'file' }, timeoutMs: networkMs },
  };
}

const off = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.alternateRefsCommand=true',
  'receive.denyCurrentBranch=refuse',
  'receive.autogc=false',
  'receive.procReceiveRefs=',
  'gc.auto=0',
  'maintenance.auto=false',
];

/** Some people put a password into the address. */
function withoutSecrets(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, '$1');
}

const noRemote = new ParleyError('not_found', 'This branch has no remote to pull from or push to.');
const nothingToPush = new ParleyError('conflict', 'There is no commit to push yet.');
const diverged = new ParleyError(
  'conflict',
  'Both sides have commits of their own. Ask Claude to merge them, or do it in a terminal.',
);
const notYours = new ParleyError(
  'forbidden',
  'Only the person who runs Parley can pull and push over the network here. Ask Claude to do it in the session.',
);
const unsupported = new ParleyError(
  'invalid',
  'Parley does not pull from or push to addresses of this kind.',
);
const elsewhere = new ParleyError('forbidden', 'The remote is a folder outside of the work folders.');
