// After a crash: ends a turn that was running as interrupted (its tools never run twice silently), and runs the prompts
// that were waiting.
import type { Envelope, Message, Session, SessionEvent, SessionId, Turn } from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { Store } from '../domain/store.ts';
import { isUnavailable } from './journal.ts';
import { TurnProgress } from './turn-progress.ts';
import { toQueued } from './turn-queue.ts';

/** More than the events that a reader can have seen but a crash can lose, so that no number is used twice. */
const leap = 2_048;

const error = {
  code: 'unavailable',
  message: 'The server stopped while this was being answered. Send it again if you still need it.',
  recoverable: true,
} as const;

export async function recover(
  { store, clock, logger }: { store: Store; clock: Clock; logger: Logger },
  start: (turn: Turn, session: Session) => Promise<void>,
): Promise<void> {
  const unfinished = await store.unfinishedTurns();
  const queued = unfinished.filter(({ status }) => status === 'queued');
  try {
    // Before anything starts, because a session that is at work numbers its events itself.
    for (const turn of unfinished) if (turn.status === 'running') await end(turn);
    for (const sessionId of new Set(queued.map((turn) => turn.sessionId))) await publishQueue(sessionId);
  } catch (thrown) {
    if (!isUnavailable(thrown)) throw thrown;
    // On a full disk, a server that only shows what it has stored is better than none.
    logger.error(
      { err: thrown },
      'turns of the last run could not be ended or resumed; the next start tries again',
    );
    return;
  }
  for (const turn of queued) {
    const session = await store.getSession(turn.sessionId);
    if (session) await start(turn, session);
  }

  async function end(turn: Turn): Promise<void> {
    const { id: turnId, sessionId } = turn;
    const now = clock.now();
    const { text, usage, brokenOff } = await progressOf(turn);
    const durationMs = now - (turn.startedAt ?? now);
    const ended: SessionEvent = {
      type: 'turn.ended',
      outcome: 'interrupted',
      text,
      usage,
      durationMs,
      error,
    };
    const last = await store.lastSeq(sessionId);
    const events: Envelope[] = [{ seq: last + leap, sessionId, turnId, at: now, event: ended }];
    // A log starts at 1; if it does not, the missing events count as pruned.
    if (last === 0) events.unshift({ seq: 1, sessionId, turnId, at: now, event: started(turn) });
    // The person has read this, so the model must know it when they continue.
    const content = [{ type: 'text', text: brokenOff }];
    const said: Message[] = brokenOff.trim() === '' ? [] : [{ role: 'assistant', content }];
    await store.together((unit) => {
      unit.appendMessages(sessionId, turnId, said);
      unit.updateTurn(turnId, { status: 'interrupted', text, usage, endedAt: now, error });
      unit.appendEvents(events);
    });
    logger.warn({ session: sessionId, turn: turnId }, 'a turn was cut off by the last stop of the server');
  }

  /** The last published queue may be lost, and its number must not be used again either. */
  async function publishQueue(sessionId: SessionId): Promise<void> {
    const last = await store.lastSeq(sessionId);
    if (last === 0) return;
    const prompts = queued.filter((turn) => turn.sessionId === sessionId).map(toQueued);
    await store.appendEvents([
      { seq: last + leap, sessionId, at: clock.now(), event: { type: 'queue.changed', prompts } },
    ]);
  }

  /** What was said and spent, as far as events were stored. */
  async function progressOf(turn: Turn): Promise<TurnProgress> {
    const progress = new TurnProgress();
    let after = turn.after;
    for (;;) {
      const page = await store.eventsAfter(turn.sessionId, after, 500);
      const last = page.at(-1);
      if (!last) return progress;
      for (const { turnId, event } of page) if (turnId === turn.id) progress.add(event);
      after = last.seq;
    }
  }
}

function started({ prompt, door }: Turn): SessionEvent {
  return { type: 'turn.started', prompt, door };
}
