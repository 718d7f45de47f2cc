// What a session changed: checks who asks, finds the repository, and makes one change at a time in it.
import { sep } from 'node:path';
import {
  type ChangeList,
  ParleyError,
  type PersonName,
  type SessionId,
  type SessionLevel,
} from '@parley/protocol';
import { KeyedQueue } from '../basics/keyed-queue.ts';
import { type Actor, personOf } from '../domain/access.ts';
import type { Changes } from '../domain/changes.ts';
import type { FilePlaces, WorkPlace } from '../domain/files.ts';
import type { WorkFolders } from '../domain/work-folders.ts';
import type { HiddenIn } from '../folders/file-places.ts';
import { listedPath } from '../folders/folder-path.ts';
import { runGit } from '../folders/run-git.ts';
import { listBranches, switchBranch } from './branches.ts';
import { type Author, commitStaged, discardFiles, stageFiles, unstageFiles } from './change-files.ts';
import { diffFile, listChanges } from './change-list.ts';
import { PrivateGit } from './private-git.ts';
import { pull, push, type RemoteRules, remoteState } from './remotes.ts';
import { findRepository, mayWorkIn, type Repository } from './repository.ts';
import type { SnapshotRecords } from './snapshot-records.ts';
import { mergeWorktree, removeWorktree, startWorktree, type WorktreeRules } from './worktrees.ts';

export interface ChangesOptions {
  readonly places: FilePlaces;
  readonly folders: Pick<WorkFolders, 'check'>;
  readonly hidden: HiddenIn;
  readonly records: SnapshotRecords;
  /** Variables that lead to a person's git configuration and keys: only for the person whose home Parley runs in. */
  readonly ownVariables: (person: PersonName) => Readonly<Record<string, string>> | undefined;
  /** Whether a turn of any session is running in a folder or below it. */
  readonly isWorkingIn: (folder: string) => Promise<boolean>;
}

export function createChanges(options: ChangesOptions): Changes {
  const { places, folders, hidden, records, ownVariables, isWorkingIn } = options;
  const jobs = new KeyedQueue();

  const requireIdle = async ({ repository }: PrivateGit) => {
    if (await isWorkingIn(repository.top)) throw working;
  };

  async function repositoryOf(place: WorkPlace): Promise<Repository | undefined> {
    return findRepository(place.root, mayWorkIn(folders, place.person));
  }

  async function open(actor: Actor, id: SessionId, needed: SessionLevel, signal?: AbortSignal) {
    const place = await places.ofSession(actor, id, needed);
    const repository = await repositoryOf(place);
    if (!repository) throw noRepository;
    const unseen = await hidden(place.person, repository.top);
    const git = await PrivateGit.open(records.gitFolder(id), repository, unseen, signal);
    return { place, git, isVisible: visibleIn(repository, unseen) };
  }

  /** One change at a time in a repository. */
  async function change<T>(
    actor: Actor,
    id: SessionId,
    work: (git: PrivateGit, place: WorkPlace, isVisible: IsVisible) => Promise<T>,
    needed: SessionLevel = 'participate',
  ): Promise<T> {
    const { git: before } = await open(actor, id, needed);
    // All working trees of a repository share one queue.
    return jobs.run(before.repository.common, async () => {
      const { git, place, isVisible } = await open(actor, id, needed);
      return work(git, place, isVisible);
    });
  }

  /** Like `change`, but refuses while a turn runs, because the work replaces files. */
  function changeWhileIdle<T>(
    actor: Actor,
    id: SessionId,
    work: (git: PrivateGit, place: WorkPlace, author: Author) => Promise<T>,
    needed?: SessionLevel,
  ): Promise<T> {
    return change(
      actor,
      id,
      async (git, place) => {
        await requireIdle(git);
        return work(git, place, await authorOf(git, personOf(actor)));
      },
      needed,
    );
  }

  const remoteRules = (actor: Actor, { person }: WorkPlace): RemoteRules => ({
    isAllowed: mayWorkIn(folders, person),
    own: ownVariables(personOf(actor)),
    requireIdle,
  });
  const worktreeRules = (id: SessionId, { person }: WorkPlace, author: Author): WorktreeRules => ({
    isAllowed: mayWorkIn(folders, person),
    author,
    otherFolder: records.otherGitFolder(id),
    requireIdle,
  });

  async function authorOf({ config }: PrivateGit, person: PersonName): Promise<Author> {
    const variables = ownVariables(person);
    const own = async (key: string) => {
      if (!variables) return undefined;
      const { output } = await runGit({ args: ['config', '--global', key], cwd: '/', variables });
      return output.toString().trim() || undefined;
    };
    return {
      name: config.userName ?? (await own('user.name')) ?? person,
      email: config.userEmail ?? (await own('user.email')) ?? `${person}@parley.invalid`,
    };
  }

  return {
    async list(actor, id, since, signal) {
      const place = await places.ofSession(actor, id, 'read');
      const repository = await repositoryOf(place);
      if (!repository) return nothing(since, 'no-repository');
      const known = since === 'head' ? undefined : await records.read(id, repository.top);
      const base = since === 'session' ? known?.session : known?.turns.at(-1)?.tree;
      if (since !== 'head' && base === undefined) return nothing(since, 'no-snapshot');
      const unseen = await hidden(place.person, repository.top);
      const git = await PrivateGit.open(records.gitFolder(id), repository, unseen, signal);
      return listChanges(git, { since, base, isVisible: visibleIn(repository, unseen), signal });
    },

    async diff(actor, id, wanted, signal) {
      const { git, isVisible } = await open(actor, id, 'read', signal);
      inRepository(git.repository, isVisible, [
        wanted.path,
        ...(wanted.from === undefined ? [] : [wanted.from]),
      ]);
      return diffFile(git, wanted, signal).catch((error: unknown) => {
        if (error instanceof ParleyError && error.code === 'unavailable') throw gone;
        throw error;
      });
    },

    stage: (actor, id, paths, isStaged) =>
      change(actor, id, async (git, _place, isVisible) => {
        const named = inRepository(git.repository, isVisible, paths);
        await (isStaged ? stageFiles(git, named) : unstageFiles(git, named));
      }),

    commit: (actor, id, message) =>
      change(actor, id, async (git) => ({
        commit: await commitStaged(git, message, await authorOf(git, personOf(actor))),
      })),

    discard: (actor, id, paths) =>
      change(actor, id, (git, _place, isVisible) =>
        discardFiles(git, inRepository(git.repository, isVisible, paths)),
      ),

    async branches(actor, id, signal) {
      const { git } = await open(actor, id, 'read', signal);
      const list = await listBranches(git, signal);
      const { current } = list;
      return { ...list, remote: current === null ? null : await remoteState(git, current, signal) };
    },

    switchBranch: (actor, id, name, create) =>
      changeWhileIdle(actor, id, (git, _place, author) => switchBranch(git, name, create, author)),

    pull: (actor, id) =>
      changeWhileIdle(actor, id, (git, place, author) => pull(git, remoteRules(actor, place), author)),

    push: (actor, id) => change(actor, id, (git, place) => push(git, remoteRules(actor, place))),

    startWorktree: (actor, id, branch) =>
      change(
        actor,
        id,
        async (git, place) => {
          const author = await authorOf(git, personOf(actor));
          return startWorktree(git, branch, worktreeRules(id, place, author));
        },
        'own',
      ),

    finishWorktree: (actor, id, how) =>
      changeWhileIdle(
        actor,
        id,
        (git, place, author) => finish[how](git, worktreeRules(id, place, author)),
        'own',
      ),
  };
}

function nothing(since: ChangeList['since'], state: ChangeList['state']): ChangeList {
  const empty = { branch: null, unfinished: null, base: '', now: '', files: [], total: 0, skipped: 0 };
  return { since, state, ...empty };
}

type IsVisible = (path: string) => boolean;

/** Takes paths as the repository knows them. */
function visibleIn({ top, prefix }: Repository, unseen: readonly string[]): IsVisible {
  const isUnseen = (path: string) => unseen.some((one) => path === one || path.startsWith(`${one}${sep}`));
  return (path) => path.startsWith(prefix) && !isUnseen(`${top}/${path}`);
}

/** Returns paths as the repository knows them. `not_found` for paths that the person may not see. */
function inRepository(
  { prefix }: Repository,
  isVisible: IsVisible,
  paths: readonly string[],
): readonly string[] {
  return paths.map((path) => {
    const { names, text } = listedPath(path);
    const named = prefix + text;
    if (names.length === 0 || !isVisible(named)) throw gone;
    return named;
  });
}

const finish = { merge: mergeWorktree, remove: removeWorktree };

const working = new ParleyError(
  'conflict',
  'Claude is working in this folder. Wait until it is done, or stop it first.',
);
const noRepository = new ParleyError('not_found', 'This folder has no git repository.');
const gone = new ParleyError('not_found', 'This change is no longer there. Refresh the changes.');
