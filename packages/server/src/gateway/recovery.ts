// After a crash: a turn that was running is ended as interrupted (its tools never run twice silently), and
// prompts that were waiting run now.
import type { Session, Turn } from '@parley/protocol';
import type { Clock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { Store } from '../domain/store.ts';
import { TurnProgress } from './turn-progress.ts';

/** More than the events that can be seen by a reader but lost in a crash, so that no number is used twice. */
const leap = 1_024;

const error = {
  code: 'unavailable',
  message: 'The server stopped while this was being answered. Send it again if you still need it.',
  recoverable: true,
} as const;

export async function recover(
  { store, clock, logger }: { store: Store; clock: Clock; logger: Logger },
  start: (turn: Turn, session: Session) => Promise<void>,
): Promise<void> {
  for (const turn of await store.unfinishedTurns()) {
    const session = await store.getSession(turn.sessionId);
    if (!session) continue;
    if (turn.status === 'running') await end(turn);
    else await start(turn, session);
  }

  async function end(turn: Turn): Promise<void> {
    const now = clock.now();
    const { text, usage, brokenOff } = await progressOf(turn);
    const durationMs = now - (turn.startedAt ?? now);
    // What the person has read, the model should know of when they come back to it.
    if (brokenOff.trim() !== '') {
      const content = [{ type: 'text', text: brokenOff }];
      await store.appendMessages(turn.sessionId, turn.id, [{ role: 'assistant', content }]);
    }
    await store.updateTurn(turn.id, { status: 'interrupted', text, usage, endedAt: now, error });
    await store.appendEvents([
      {
        seq: (await store.lastSeq(turn.sessionId)) + leap,
        sessionId: turn.sessionId,
        turnId: turn.id,
        at: now,
        event: { type: 'turn.ended', outcome: 'interrupted', text, usage, durationMs, error },
      },
    ]);
    logger.warn(
      { session: turn.sessionId, turn: turn.id },
      'a turn was cut off by the last stop of the server',
    );
  }

  /** What had been said and spent, as far as events were kept. */
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
