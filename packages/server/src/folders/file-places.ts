// Which folder somebody may look at: the working directory of a session that they may see, or their own notes.
import { mkdir, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { PersonName } from '@parley/protocol';
import { type Access, personOf, requireLevel } from '../domain/access.ts';
import { type CodeSessions, openSession } from '../domain/code-sessions.ts';
import type { FilePlaces } from '../domain/files.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { WorkFolders } from '../domain/work-folders.ts';

export interface FilePlacesOptions {
  readonly gateway: Pick<Gateway, 'getSession'>;
  readonly sessions: Pick<CodeSessions, 'get' | 'open'>;
  readonly access: Access;
  readonly folders: Pick<WorkFolders, 'check' | 'foreignRoots'>;
  /** Parley's own files and folders, and everybody's notes. */
  readonly ownPaths: readonly string[];
  readonly vault: (person: PersonName) => string;
}

export function createFilePlaces(options: FilePlacesOptions): FilePlaces {
  const { gateway, sessions, access, folders, ownPaths, vault } = options;
  return {
    async ofSession(actor, id, needed) {
      const session = requireLevel(access, actor, await openSession(gateway, sessions, actor, id), needed);
      const { workingDir } = await sessions.get(actor, id);
      // Its programs work for the owner, so they decide what there is to see.
      const root = await folders.check(session.person, workingDir);
      const foreign = await folders.foreignRoots(session.person);
      const own = await Promise.all(ownPaths.map((path) => realpath(path).catch(() => path)));
      // What is around the folder was allowed when the folder was.
      const hidden = [...own, ...foreign].filter((path) => path.startsWith(`${root}${sep}`));
      return { root, hidden, kind: 'work' };
    },

    async ofNotes(actor) {
      const root = vault(personOf(actor));
      await mkdir(root, { recursive: true, mode: 0o700 });
      return { root: await realpath(root), hidden: [], kind: 'notes' };
    },
  };
}
