// The port of working directories: where Claude Code may work, for a picker that shows nothing else.
import type { PersonName } from '@parley/protocol';

export interface GitState {
  /** Undefined when no branch is checked out. */
  readonly branch: string | undefined;
  /** Undefined when git did not answer in time, or is not installed. */
  readonly isDirty: boolean | undefined;
}

export interface WorkFolder {
  readonly name: string;
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Undefined when the folder is not the root of a git working tree. */
  readonly git: GitState | undefined;
}

export interface FolderListing {
  /** Undefined in the list of the roots. */
  readonly path: string | undefined;
  /** The folder above, undefined at a root. */
  readonly parent: string | undefined;
  readonly folders: readonly WorkFolder[];
  /** True when there were more than are listed. */
  readonly isCut: boolean;
}

export interface WorkFolders {
  /** The folders in a folder, or the allowed roots when no path is given. `forbidden` outside of them. */
  listDirectories(person: PersonName, path?: string): Promise<FolderListing>;
  /** The real path of a working directory. `forbidden`, with a sentence, outside the allowed roots. */
  check(path: string): Promise<string>;
}
