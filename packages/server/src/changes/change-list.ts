// Lists what differs between a snapshot and the working tree as it is now, and shows the changed lines of one file.
import type { ChangedFile, ChangeList, ChangesSince, FileDiff } from '@parley/protocol';
import type { WantedDiff } from '../domain/changes.ts';
import { parseCounts, parsePatch, parseRaw, type RawChange, splitNames } from './parse-diff.ts';
import type { PrivateGit } from './private-git.ts';
import { type Repository, unfinishedIn } from './repository.ts';
import { takeSnapshot } from './snapshot.ts';

/** More are counted, but not listed. */
const maxFiles = 2_000;
const maxIgnored = 2_000;
const ignoredBytes = 256 * 1024;
const diffBytes = 8 * 1024 * 1024;
/** No program of the repository compares files, and nothing is followed into submodules. */
const comparing = [
  '-r',
  '-M',
  '-l400',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--ignore-submodules=all',
];

export interface Wanted {
  readonly since: ChangesSince;
  /** The tree to compare with; the last commit if absent. */
  readonly base: string | undefined;
  /** Whether somebody may see a path of the working tree. */
  readonly isVisible: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export async function listChanges(
  git: PrivateGit,
  { since, base: given, isVisible, signal }: Wanted,
): Promise<ChangeList> {
  const { repository } = git;
  const { tree: now, skipped } = await takeSnapshot(git, signal);
  const last = git.head ?? (await emptyTree(git, signal));
  const base = given ?? last;
  const raw = await git.runOnContent(['diff-tree', '-z', '--raw', '--no-abbrev', ...comparing, base, now], {
    signal,
  });
  const found = parseRaw(splitNames(raw.output))
    .map((change) => withoutUnseen(change, isVisible))
    .filter(({ path }) => isVisible(path));
  const shown = found.slice(0, maxFiles);
  const counts =
    found.length > maxFiles
      ? undefined
      : parseCounts(
          (await git.runOnContent(['diff-tree', '-z', '--numstat', ...comparing, base, now], { signal }))
            .output,
        );
  const index = await indexState(git, last, now, signal);
  // A file that was staged and then changed back equals the last commit, but the next commit would have the change.
  const undone = since === 'head' ? index.onlyStaged(found).filter(isVisible) : [];
  return {
    since,
    state: 'ok',
    branch: await git.branch(signal),
    unfinished: unfinishedIn(repository),
    base,
    now,
    files: [
      ...shown.map(
        ({ kind, path, from, isUnreadable }): ChangedFile => ({
          kind,
          path: within(repository, path),
          ...(from !== undefined && { from: within(repository, from) }),
          ...counts?.get(path),
          staged: index.stagedOf(path, from),
          ...(index.conflicts.has(path) && { conflict: true }),
          ...(isUnreadable && { unreadable: true }),
        }),
      ),
      ...undone.map(
        (path): ChangedFile => ({ kind: 'modified', path: within(repository, path), staged: 'partly' }),
      ),
    ],
    total: found.length + undone.length,
    ...(since === 'head' && { ignored: await ignoredPaths(git, isVisible, signal) }),
    skipped,
  };
}

export async function diffFile(
  git: PrivateGit,
  { path, from, base, now }: WantedDiff,
  signal: AbortSignal,
): Promise<FileDiff> {
  const { prefix } = git.repository;
  const paths = [path, ...(from === undefined ? [] : [from])].map((one) => prefix + one);
  const { output, stoppedBy } = await git.runOnContent(
    ['diff-tree', '-p', '--no-prefix', ...comparing, base, now, '--', ...paths],
    { maxBytes: diffBytes, mayBeCut: true, signal },
  );
  const { hunks, isBinary, isCut } = parsePatch(output.toString());
  return { path, binary: isBinary, hunks: [...hunks], truncated: isCut || stoppedBy !== undefined };
}

/** A folder that is ignored as a whole counts as one path. */
async function ignoredPaths(
  git: PrivateGit,
  isVisible: Wanted['isVisible'],
  signal: AbortSignal,
): Promise<string[]> {
  const { prefix } = git.repository;
  const { output } = await git.runOnContent(
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
    { maxBytes: ignoredBytes, mayBeCut: true, signal },
  );
  return splitNames(output)
    .slice(0, maxIgnored)
    .map((name) => name.toString().replace(/\/$/, ''))
    .filter((path) => path.startsWith(prefix) && isVisible(path))
    .map((path) => path.slice(prefix.length));
}

/** Hides where a file was before, if the person may not see that path. */
function withoutUnseen(change: RawChange, isVisible: Wanted['isVisible']): RawChange {
  if (change.from === undefined || isVisible(change.from)) return change;
  const { from: _, ...rest } = change;
  return { ...rest, kind: 'added' };
}

/** The path as seen from the working directory. */
function within({ prefix }: Repository, path: string): string {
  return path.slice(prefix.length);
}

async function emptyTree(git: PrivateGit, signal: AbortSignal): Promise<string> {
  return (await git.runOnContent(['mktree'], { input: '', signal })).output.toString().trim();
}

/** How the index of the repository differs from the last commit and from the working tree. */
async function indexState(git: PrivateGit, last: string, now: string, signal: AbortSignal) {
  const differing = async (tree: string) => {
    const args = [
      'diff-index',
      '--cached',
      '-z',
      '--name-only',
      '--no-renames',
      '--ignore-submodules=all',
      tree,
    ];
    return new Set(splitNames((await git.runOnContent(args, { signal })).output).map(String));
  };
  const [staged, unstaged, unmerged] = await Promise.all([
    differing(last),
    differing(now),
    git.runOnContent(['diff-index', '--cached', '-z', '--name-only', '--diff-filter=U', last], { signal }),
  ]);
  return {
    conflicts: new Set(splitNames(unmerged.output).map(String)),
    stagedOf(path: string, from?: string): ChangedFile['staged'] {
      const names = from === undefined ? [path] : [path, from];
      if (!names.some((name) => staged.has(name))) return 'no';
      return names.some((name) => unstaged.has(name)) ? 'partly' : 'yes';
    },
    onlyStaged(found: readonly RawChange[]): readonly string[] {
      const listed = new Set(found.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])));
      return [...staged].filter((path) => !listed.has(path));
    },
  };
}
