// What servers on one database know about each other: which ones run, and who owns which session. All times are those of
// the database, so the clocks of the servers don't matter.
import type { SessionId } from '@parley/protocol';
import type { OtherServer, Tenure } from './ownership.ts';
import type { Store } from './store.ts';

/** A Parley process with doors. */
export interface Server extends OtherServer {
  /** Where it runs. It outlasts restarts, and two servers never share one. */
  readonly machine: string;
}

/** How long a server counts as running after it last said so. */
export const leaseMs = 15_000;
export const renewEveryMs = 5_000;
/**
 * A server that could not renew for this long, by its own clock, stops its turns and tools. It is less than the lease, so
 * that they have stopped before another server may claim its sessions.
 */
export const stopAfterMs = 10_000;

export type ClaimAnswer =
  | { readonly epoch: number; readonly start: 'free' | 'abandoned' }
  | { readonly owner: OtherServer }
  /** The session can only be used on this machine, and no server runs there. */
  | { readonly absentMachine: string };

export interface ServerRegistry {
  /** Starts or extends the lease. */
  renew(server: Server): Promise<void>;
  /** Ends the lease of whichever server ran on the machine before. Only for a process that knows that this one has ended. */
  replace(server: Server): Promise<void>;
  /** Ends the lease. Sessions that the server has not given back count as abandoned. */
  leave(server: Server): Promise<void>;
  /** The clock of the database, in milliseconds since the epoch. */
  clock(): Promise<number>;
  /** The servers that run. */
  list(): Promise<readonly Server[]>;
  /**
   * Makes the server the owner of the session, unless another server whose lease isn't over owns it. A `pinned` session
   * stays on the machine of the server that claims it first.
   */
  claim(server: Server, session: SessionId, options: { readonly pinned: boolean }): Promise<ClaimAnswer>;
  /** Gives back sessions, unless they have moved already. */
  release(tenures: readonly Pick<Tenure, 'session' | 'epoch'>[]): Promise<void>;
  revoke(session: SessionId): Promise<void>;
  /**
   * A store whose writes fail as a whole, with `moved`, unless each tenure is the current one of its session. Calls
   * `onOver` with those that are not. The check and the write are one transaction.
   */
  under(tenures: readonly Tenure[], onOver: (tenure: Tenure) => void): Store;
  /**
   * Sessions with unfinished turns that this server may claim: those that no running server owns, and those of `lost` that
   * it still owns itself.
   */
  abandoned(server: Server, lost: readonly SessionId[]): Promise<readonly SessionId[]>;
}
