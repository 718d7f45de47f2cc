// Takes a session into memory: claims it, cleans up after its last owner, and continues where that one stopped.
import type { Session } from '@parley/protocol';
import { movedAway, type Ownership } from '../domain/ownership.ts';
import type { Store } from '../domain/store.ts';
import type { AllowedTools } from './allowed-tools.ts';
import { EventLog, type EventLogLimits } from './event-log.ts';
import type { Journal } from './journal.ts';
import { LiveSession, type LiveSessionParts } from './live-session.ts';
import { recoverSession } from './recovery.ts';

export interface LoadParts
  extends Omit<
    LiveSessionParts,
    'tenure' | 'journal' | 'log' | 'keptEvents' | 'maxQueued' | 'allowed' | 'waiting'
  > {
  readonly store: Store;
  readonly ownership: Ownership;
  readonly journal: Journal;
  readonly allowedTools: AllowedTools;
  readonly limits: { readonly keptEvents: number; readonly queue: number; readonly log: EventLogLimits };
  /** Whether its owner may use it. */
  readonly mayRun: (session: Session) => boolean;
}

export async function loadSession(session: Session, parts: LoadParts): Promise<LiveSession> {
  const { engine, store, ownership, clock, logger, limits } = parts;
  const { tenure, start } = await ownership.claim(session);
  try {
    const owned = ownership.under([tenure]);
    const waiting = await recoverSession({ store: owned, engine, clock, logger }, session, start);
    const lastSeq = engine.storesEvents ? await store.lastSeq(session.id) : clock.now() * 1_000;
    if (tenure.isOver) throw movedAway();
    return new LiveSession(session, {
      ...parts,
      store: owned,
      tenure,
      journal: parts.journal.of(tenure),
      log: new EventLog(lastSeq, limits.log),
      keptEvents: limits.keptEvents,
      maxQueued: limits.queue,
      allowed: await parts.allowedTools.of(session.id),
      // They stay stored until the account is enabled again.
      waiting: parts.mayRun(session) ? waiting : [],
    });
  } catch (error) {
    // A new owner's recovery is incomplete, so the next claim must do it again.
    if (start === 'continued') ownership.release(tenure);
    else ownership.drop(tenure);
    throw error;
  }
}
