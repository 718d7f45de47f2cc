// What a new owner does first with a session: ends a turn that was running as interrupted, so that its tools never run
// twice silently, and picks up the prompts that wait.
import {
  type Envelope,
  type Message,
  type Session,
  type SessionEvent,
  say,
  startOf,
  type Turn,
} from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { Engine } from '../domain/engine.ts';
import type { Logger } from '../domain/logger.ts';
import { type Claim, hasMoved, type Ownership } from '../domain/ownership.ts';
import type { Store } from '../domain/store.ts';
import { isUnavailable } from './journal.ts';
import { lightEvent } from './light-event.ts';
import type { LiveSessions } from './live-sessions.ts';
import { TurnProgress } from './turn-progress.ts';
import { toQueued } from './turn-queue.ts';

/** How many numbers to skip: more than a crash can lose of what readers have seen, so that none is used twice. */
export const leap = 2_048;

const cutOff = {
  code: 'unavailable',
  message: say`The server stopped while this was being answered. Send it again if you still need it.`,
  recoverable: true,
} as const;

/** Takes over the sessions that have work but no owner. */
export async function takeAbandoned(parts: {
  readonly store: Pick<Store, 'getSession'>;
  readonly ownership: Pick<Ownership, 'abandoned'>;
  readonly sessions: Pick<LiveSessions, 'acquire'>;
  readonly logger: Logger;
}): Promise<void> {
  for (const id of await parts.ownership.abandoned()) {
    const session = await parts.store.getSession(id);
    if (!session) continue;
    try {
      const lease = await parts.sessions.acquire(session);
      lease.release();
    } catch (error) {
      if (hasMoved(error)) continue;
      // On a full disk, a server that only shows what it has stored is better than none.
      if (!isUnavailable(error)) throw error;
      parts.logger.error({ err: error, session: id }, 'a session that was cut off could not be resumed');
    }
  }
}

interface RecoveryParts {
  /** Under the tenure of the new owner. */
  readonly store: Store;
  readonly engine: Pick<Engine, 'storesEvents'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Returns the turns that wait, in their order. Call it before the session numbers events itself. */
export async function recoverSession(
  { store, engine, clock, logger }: RecoveryParts,
  { id: sessionId }: Session,
  start: Claim['start'],
): Promise<readonly Turn[]> {
  if (start === 'continued') return [];
  const unfinished = await store.listTurns(sessionId, { status: ['queued', 'running'] });
  const queued = unfinished.filter(({ status }) => status === 'queued');
  if (start === 'free') return queued;
  const running = unfinished.filter(({ status }) => status === 'running');
  for (const turn of running) await end(turn);
  if (engine.storesEvents && (queued.length > 0 || running.length === 0)) await publishQueue();
  return queued;

  async function end(turn: Turn): Promise<void> {
    const { id: turnId } = turn;
    const now = clock.now();
    const { text, usage, brokenOff } = await progressOf(turn);
    const durationMs = now - (turn.startedAt ?? now);
    const ended: SessionEvent = {
      type: 'turn.ended',
      outcome: 'interrupted',
      text,
      usage,
      durationMs,
      error: cutOff,
    };
    const last = await store.lastSeq(sessionId);
    const events: Envelope[] = [{ seq: last + leap, sessionId, turnId, at: now, event: ended }];
    // A log starts at 1; if it does not, the missing events count as pruned.
    if (last === 0) events.unshift({ seq: 1, sessionId, turnId, at: now, event: lightEvent(startOf(turn)) });
    // The person has read this, so the model must know it when they continue.
    const content = [{ type: 'text', text: brokenOff }];
    const said: Message[] = brokenOff.trim() === '' ? [] : [{ role: 'assistant', content }];
    await store.together((unit) => {
      unit.appendMessages(sessionId, turnId, said);
      unit.updateTurn(turnId, { status: 'interrupted', text, usage, endedAt: now, error: cutOff });
      unit.appendEvents(events);
    });
    logger.warn({ session: sessionId, turn: turnId }, 'a turn was cut off when the server stopped');
  }

  /** What was published outside of a turn may be lost, and its numbers must not be used again either. */
  async function publishQueue(): Promise<void> {
    const last = await store.lastSeq(sessionId);
    const event = lightEvent({ type: 'queue.changed', prompts: queued.map(toQueued) });
    const numbers = last === 0 ? [1, leap] : [last + leap];
    await store.appendEvents(numbers.map((seq) => ({ seq, sessionId, at: clock.now(), event })));
  }

  /** What was said and spent, as far as events were stored. */
  async function progressOf(turn: Turn): Promise<TurnProgress> {
    const progress = new TurnProgress();
    let after = turn.after;
    for (;;) {
      const page = await store.eventsAfter(sessionId, after, 500);
      const last = page.at(-1);
      if (!last) return progress;
      for (const { turnId, event } of page) if (turnId === turn.id) progress.add(event);
      after = last.seq;
    }
  }
}
