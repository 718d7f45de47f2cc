// The port for working directories: where Claude Code may work. The folder picker shows nothing else.
import type { PersonName, SandboxView } from '@parley/protocol';

/** `auto`: a sandbox if this machine has one. `required`: nothing runs without one. */
export type SandboxMode = 'auto' | 'required' | 'off';

/** A folder in which, and below which, programs may work. */
export interface WorkRoot {
  readonly path: string;
  readonly sandbox?: SandboxMode | undefined;
  /** Who may work there; everybody if absent. */
  readonly people?: readonly PersonName[] | undefined;
}

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
  /** The sandbox of programs that work there. */
  readonly sandbox: SandboxView;
}

export interface FolderListing {
  /** Undefined in the list of the roots. */
  readonly path: string | undefined;
  /** The folder above, undefined at a root. */
  readonly parent: string | undefined;
  /** The sandbox of the folder itself, undefined in the list of the roots. */
  readonly sandbox: SandboxView | undefined;
  readonly folders: readonly WorkFolder[];
  /** True when there were more than are listed. */
  readonly isCut: boolean;
}

export interface WorkFolders {
  /** The folders in a folder, or the allowed roots when no path is given. `forbidden` outside of them. */
  listDirectories(person: PersonName, path?: string): Promise<FolderListing>;
  /** The real path of a working directory. `forbidden`, with a sentence, outside the roots that the person may use. */
  check(person: PersonName, path: string): Promise<string>;
  /** The sandbox of programs that work in a folder, whether or not it exists. */
  sandboxOf(path: string): SandboxView;
  /** The real path of the innermost root that contains a folder. */
  rootOf(path: string): Promise<string | undefined>;
  /** The real paths of the roots that the person may not use. */
  foreignRoots(person: PersonName): Promise<readonly string[]>;
}
