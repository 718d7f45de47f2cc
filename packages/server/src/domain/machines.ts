// Machines: a Claude Code session lives where its folder and its transcript are. With several servers, the one on that
// machine does whatever needs them.
import type { ClaudeCodeSession, PersonName, SessionId, WorkFolderList } from '@parley/protocol';
import { ParleyError } from '@parley/protocol';
import type { Actor } from './access.ts';
import type { OtherServer } from './ownership.ts';

/** Finds the server that has what a request needs. Undefined means this server. */
export interface Machines {
  /** Rejects with `unavailable` if no server runs on the session's machine, `not_found` if the actor may not know that. */
  serverOfSession(actor: Actor, id: SessionId): Promise<OtherServer | undefined>;
  /** Rejects with `not_found` if no server runs on a machine with this name. */
  serverOfMachine(name: string): Promise<OtherServer | undefined>;
  /** Also undefined if no machine has the folder, or the actor may not work in it. */
  serverOfFolder(actor: Actor, path: string): Promise<OtherServer | undefined>;
  /** The work roots of this machine, then those of the others. If there are others, every root names its machine. */
  rootsOfAll(actor: Actor, own: WorkFolderList['folders']): Promise<WorkFolderList['folders']>;
  /** The headers that make another server do the request for the actor at this address. `path` includes the query. */
  signedHeaders(
    actor: Actor,
    request: { readonly method: string; readonly path: string; readonly address: string },
  ): Record<string, string>;
  /** Counts a request that goes to another server. */
  forwarded(kind: 'request' | 'upgrade'): void;
}

/** What the database knows about machines. */
export interface MachineRecords {
  /** Undefined for a session that can be used everywhere, or that nobody has used yet. */
  machineOf(id: SessionId): Promise<string | undefined>;
  /** Which of the sessions are on machines other than this one. */
  elsewhere(machine: string, ids: readonly SessionId[]): Promise<ReadonlySet<SessionId>>;
  /** Claude Code sessions on machines other than these: the person's, and those of `also`. The newest first. */
  onOtherMachines(wanted: {
    readonly person: PersonName;
    readonly also: readonly SessionId[];
    readonly machines: readonly string[];
    readonly limit: number;
  }): Promise<readonly { readonly session: ClaudeCodeSession; readonly machine: string }[]>;
}

export function absentMachine(machine: string): ParleyError {
  return new ParleyError(
    'unavailable',
    `This Claude Code session is on the machine "${machine}", and Parley is not running there. Start it there, then try again.`,
  );
}
