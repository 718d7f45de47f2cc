// What servers on one database know about each other: which ones run, and who owns which session. All times come from
// the database's clock, so the servers' own clocks don't matter.
import type { SessionId } from '@parley/protocol';
import type { OtherServer, Tenure } from './ownership.ts';
import type { Store } from './store.ts';

/** A Parley process with doors. */
export interface Server extends OtherServer {
  /** The machine it runs on. It stays the same across restarts, and two servers never share one. */
  readonly machine: string;
}

/** How long a server counts as running after its last renewal. */
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
  /** Ends the leases of earlier servers on this machine. Call it only if their processes are known to have ended. */
  replace(server: Server): Promise<void>;
  /** Ends the lease. Sessions that the server has not given back count as abandoned. */
  leave(server: Server): Promise<void>;
  /** The clock of the database, in milliseconds since the epoch. */
  clock(): Promise<number>;
  /** The servers that run. */
  list(): Promise<readonly Server[]>;
  /**
   * Makes the server the owner of the session, unless another running server owns it. A `pinned` session stays on the
   * machine of the server that claims it first.
   */
  claim(server: Server, session: SessionId, options: { readonly pinned: boolean }): Promise<ClaimAnswer>;
  /** Gives back sessions, unless they have moved already. */
  release(tenures: readonly Pick<Tenure, 'session' | 'epoch'>[]): Promise<void>;
  revoke(session: SessionId): Promise<void>;
  /**
   * A store whose writes fail as a whole, with `moved`, if any of the tenures is over. Calls `onOver` with those that
   * are. The check and the write are one transaction.
   */
  under(tenures: readonly Tenure[], onOver: (tenure: Tenure) => void): Store;
  /**
   * Sessions with unfinished turns that this server may claim: those that no running server owns, and those in `lost`
   * that the registry still lists as its own.
   */
  abandoned(server: Server, lost: readonly SessionId[]): Promise<readonly SessionId[]>;
}
