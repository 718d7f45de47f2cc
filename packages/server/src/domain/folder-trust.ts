// The port for trusted folders. A folder can make the `claude` program run commands on its own (hooks, MCP servers,
// helper commands) and change its environment. It is untrusted until a person has seen what it would run and trusts it.
import type { FolderRun, FolderTrustView, PersonName } from '@parley/protocol';

/** What a folder would run, and whether it may. */
export interface FolderLook {
  /** Absolute, without symbolic links. */
  readonly path: string;
  readonly isTrusted: boolean;
  readonly reason: FolderTrustView['reason'];
  /** Changes with everything that the folder would run. */
  readonly digest: string;
  readonly runs: readonly FolderRun[];
  /** How many more there are than `runs` lists. */
  readonly more: number;
  /** Files with instructions for the model, which the program reads only in a trusted folder. */
  readonly instructions: readonly string[];
  readonly trusted?: { readonly by: PersonName; readonly at: number };
}

export interface TrustedFolder {
  readonly path: string;
  readonly by: PersonName;
  readonly at: number;
}

/** Every other call rejects with `forbidden` outside the allowed working directories. */
export interface FolderTrust {
  /** The trusted folders in which the person may work, whether or not they have changed since; the latest first. */
  list(person: PersonName): Promise<readonly TrustedFolder[]>;
  /** Reads the folder's configuration without running any of it. */
  look(person: PersonName, path: string): Promise<FolderLook>;
  /** `conflict` if the folder's configuration is no longer the one with this digest. */
  trust(person: PersonName, path: string, digest: string): Promise<FolderLook>;
  distrust(person: PersonName, path: string): Promise<FolderLook>;
}
