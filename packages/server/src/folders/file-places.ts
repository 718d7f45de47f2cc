// Decides which folder somebody may look at: the working directory of a session that they may see, or their own notes.
import { mkdir, realpath } from 'node:fs/promises';
import { sep } from 'node:path';
import type { PersonName } from '@parley/protocol';
import { realPathOf } from '../basics/real-path.ts';
import { type Access, personOf, requireLevel } from '../domain/access.ts';
import { type CodeSessions, openSession } from '../domain/code-sessions.ts';
import type { FilePlaces } from '../domain/files.ts';
import type { Gateway } from '../domain/gateway.ts';
import type { WorkFolders } from '../domain/work-folders.ts';

/** Real paths below a folder that a person must not see: Parley's own, everybody's notes, and the work of others. */
export type HiddenIn = (person: PersonName, folder: string) => Promise<readonly string[]>;

export function hiddenIn(folders: Pick<WorkFolders, 'foreignRoots'>, ownPaths: readonly string[]): HiddenIn {
  return async (person, folder) => {
    const foreign = await folders.foreignRoots(person);
    const own = await Promise.all(ownPaths.map(realPathOf));
    // A path that contains the folder doesn't hide it: the folder itself is allowed.
    return [...own, ...foreign].filter((path) => path.startsWith(`${folder}${sep}`));
  };
}

export interface FilePlacesOptions {
  readonly gateway: Pick<Gateway, 'getSession'>;
  readonly sessions: Pick<CodeSessions, 'get' | 'open'>;
  readonly access: Access;
  readonly folders: Pick<WorkFolders, 'check'>;
  readonly hidden: HiddenIn;
  readonly vault: (person: PersonName) => string;
}

export function createFilePlaces(options: FilePlacesOptions): FilePlaces {
  const { gateway, sessions, access, folders, hidden, vault } = options;
  return {
    async ofSession(actor, id, needed) {
      const session = requireLevel(access, actor, await openSession(gateway, sessions, actor, id), needed);
      const { workingDir } = await sessions.get(actor, id);
      // Its programs work for the owner, so what counts is what the owner may see.
      const root = await folders.check(session.person, workingDir);
      const { person } = session;
      return { root, hidden: await hidden(person, root), kind: 'work', person };
    },

    async ofNotes(actor) {
      const root = vault(personOf(actor));
      await mkdir(root, { recursive: true, mode: 0o700 });
      return { root: await realpath(root), hidden: [], kind: 'notes' };
    },
  };
}
