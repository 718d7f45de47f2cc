// Runs git on somebody's repository with a git folder of our own. Git trusts the configuration of the repository that
// it works in, and dozens of its keys run programs. So it gets Parley's git folder, with Parley's configuration and no
// hooks, and only the objects, the index and the working tree of the person. Keys that we don't know have no effect,
// and nobody can change one between a check and its use.
import { copyFile, lstat, mkdir, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { ParleyError } from '@parley/protocol';
import { replaceFile } from '../basics/atomic-file.ts';
import { readSmall } from '../folders/git-folder.ts';
import { type GitEnd, type GitRun, runGit } from '../folders/run-git.ts';
import type { Repository } from './repository.ts';
import { type RepositoryConfig, readConfig } from './repository-config.ts';

export interface ContentRun extends Pick<GitRun, 'input' | 'maxBytes' | 'timeoutMs' | 'signal'> {
  /** The path of the index to use; that of the repository if absent. */
  readonly index?: string;
  /** Where new objects go; to our own folder if absent. */
  readonly writes?: 'repository';
  readonly variables?: Readonly<Record<string, string>>;
  /** Exit codes besides 0 that don't mean a failure. */
  readonly okExitCodes?: readonly number[];
  /** Part of the output will do. */
  readonly mayBeCut?: true;
}

export class PrivateGit {
  readonly repository: Repository;
  readonly config: RepositoryConfig;
  /** The commit that is checked out; undefined before the first one. */
  readonly head: string | undefined;
  readonly #folder: string;

  private constructor(
    folder: string,
    repository: Repository,
    config: RepositoryConfig,
    head: string | undefined,
  ) {
    this.#folder = folder;
    this.repository = repository;
    this.config = config;
    this.head = head;
  }

  /** `folder` is ours and is made if it is missing. `hidden` are paths that git must not see. */
  static async open(
    folder: string,
    repository: Repository,
    hidden: readonly string[] = [],
    signal?: AbortSignal,
  ): Promise<PrivateGit> {
    for (const name of ['objects/info', 'refs/heads', 'info'])
      await mkdir(join(folder, name), { recursive: true, mode: 0o700 });
    const config = await readConfig(repository.common, folder, signal);
    const bare = new PrivateGit(folder, repository, config, undefined);
    const head = await bare.runOnRefs(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'], {
      okExitCodes: [1, 128],
      signal,
    });
    const commit = head.output.toString().trim();
    await write(join(folder, 'HEAD'), commit === '' ? 'ref: refs/heads/none\n' : `${commit}\n`);
    await write(join(folder, 'config'), config.file);
    await write(join(folder, 'info/exclude'), await excludes(repository, hidden));
    return new PrivateGit(folder, repository, config, commit === '' ? undefined : commit);
  }

  /** Runs a command that looks at files or objects. */
  async runOnContent(args: readonly string[], run: ContentRun = {}): Promise<GitEnd> {
    const { gitFolder, common, top } = this.repository;
    const { index = join(gitFolder, 'index'), writes, variables, okExitCodes, mayBeCut, ...rest } = run;
    const theirs = join(common, 'objects');
    // Git doesn't write an object that it finds elsewhere. So when the repository gets new ones, ours must not be in sight:
    // they are deleted with the session.
    const objects: Record<string, string> =
      writes === 'repository'
        ? { GIT_OBJECT_DIRECTORY: theirs }
        : {
            GIT_OBJECT_DIRECTORY: join(this.#folder, 'objects'),
            GIT_ALTERNATE_OBJECT_DIRECTORIES: `"${theirs.replaceAll(/["\\]/g, '\\$&')}"`,
          };
    const end = await runGit({
      ...rest,
      args,
      cwd: top,
      variables: {
        GIT_DIR: this.#folder,
        GIT_WORK_TREE: top,
        GIT_INDEX_FILE: index,
        ...objects,
        ...variables,
      },
    });
    return unlessFailed(end, args, okExitCodes, mayBeCut);
  }

  /**
   * Reads or moves references of the repository itself, which is where its configuration counts. Only for commands that
   * never look at files: with hooks switched off, those run nothing.
   */
  async runOnRefs(
    args: readonly [RefCommand, ...string[]],
    run: Pick<ContentRun, 'input' | 'variables' | 'okExitCodes' | 'signal'> = {},
  ): Promise<GitEnd> {
    const { okExitCodes, ...rest } = run;
    const all = [`--git-dir=${this.repository.gitFolder}`, ...args];
    return unlessFailed(await runGit({ ...rest, args: all, cwd: this.#folder }), args, okExitCodes);
  }

  /** The branch that is checked out; null if none is. */
  async branch(signal?: AbortSignal): Promise<string | null> {
    const end = await this.runOnRefs(['symbolic-ref', '--quiet', 'HEAD'], { okExitCodes: [1], signal });
    const name = end.output.toString().trim();
    return name.startsWith('refs/heads/') ? name.slice('refs/heads/'.length) : null;
  }

  /** The path of a file in our git folder. */
  own(name: string): string {
    return join(this.#folder, name);
  }

  /** Copies the index, to write to the copy. Keeps its time: git trusts entries that are older than their index. */
  async copyIndex(to: string): Promise<void> {
    const index = join(this.repository.gitFolder, 'index');
    const found = await lstat(index).catch(() => undefined);
    if (!found?.isFile()) return;
    await copyFile(index, to);
    await utimes(to, found.atime, found.mtime);
  }
}

export type RefCommand = 'rev-parse' | 'for-each-ref' | 'symbolic-ref' | 'update-ref' | 'worktree';

function unlessFailed(
  end: GitEnd,
  args: readonly string[],
  okExitCodes: readonly number[] = [],
  mayBeCut = false,
): GitEnd {
  if (end.stoppedBy === 'time') throw tooSlow;
  if (end.stoppedBy === 'output') {
    if (mayBeCut) return end;
    throw tooMuch;
  }
  if (end.exitCode === 0 || okExitCodes.includes(end.exitCode ?? -1)) return end;
  const cause = new Error(`git ${args[0]} ended with ${end.exitCode}: ${end.errors}`);
  if (/\.lock'?: File exists/.test(end.errors))
    throw new ParleyError(
      'conflict',
      'Another program is working with this repository right now. Try again in a moment.',
      { cause },
    );
  throw new ParleyError(
    'unavailable',
    'Git could not do this. Try again, or look at the repository in a terminal.',
    { cause },
  );
}

/** What the repository excludes, and what nobody may see. */
async function excludes({ common, top }: Repository, hidden: readonly string[]): Promise<string> {
  const theirs = (await readSmall(join(common, 'info/exclude'), 64 * 1024)) ?? '';
  const inside = hidden.filter((path) => path.startsWith(`${top}/`)).map((path) => path.slice(top.length));
  const escaped = inside.map((path) => path.replaceAll(/[\\*?[\]!# ]/g, '\\$&'));
  return [theirs, ...escaped, ''].join('\n');
}

/** Leaves a file alone that already has this content, because several requests may use it at once. */
async function write(file: string, content: string): Promise<void> {
  const { size } = await stat(file).catch(() => ({ size: -1 }));
  if (size === Buffer.byteLength(content) && (await readSmall(file, size)) === content) return;
  await replaceFile(file, content);
}

const tooSlow = new ParleyError(
  'unavailable',
  'Git took too long. A large folder that is not in .gitignore may be the reason.',
);
const tooMuch = new ParleyError('too_large', 'There are more changes than Parley can show.');
