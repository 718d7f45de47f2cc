// Pages through the turns of a session that are shown as they were stored. Newer ones are replayed event by event. Pure.
import type { Seq, Turn } from '@parley/protocol';
import type { Gateway } from '../domain/gateway.ts';

type PastTurns = Awaited<ReturnType<Gateway['pastTurns']>>;

/** How many events a page can replay quickly. */
const maxReplayed = 5_000;

interface LogRange {
  readonly firstSeq: Seq;
  readonly lastSeq: Seq;
}

/** `turns` are all that have started, oldest first; `range` is what the store still has of their events. */
export function pageOfTurns(
  turns: readonly Turn[],
  { limit, before }: Parameters<Gateway['pastTurns']>[2],
  range: LogRange,
): PastTurns {
  const from = firstReplayed(turns, range);
  const cursor = turns.findIndex((turn) => turn.id === before);
  const end = cursor < 0 ? from : Math.min(cursor, from);
  const start = Math.max(end - limit, 0);
  const first = turns[start];
  return {
    turns: turns.slice(start, end),
    ...(start > 0 && first && { before: first.id }),
    after: turns[from]?.after ?? range.lastSeq,
  };
}

/** Never a turn that was queued while another ran: its events come after some of the other's. */
function firstReplayed(turns: readonly Turn[], { lastSeq, firstSeq }: LogRange): number {
  const isReadable = ({ after }: Turn) => after >= firstSeq - 1;
  const index = turns.findIndex((turn, place) => {
    const endBefore = turns[place - 1]?.endedAt ?? 0;
    return isReadable(turn) && turn.after >= lastSeq - maxReplayed && turn.queuedAt >= endBefore;
  });
  if (index >= 0) return index;
  const last = turns.at(-1);
  return last && isReadable(last) ? turns.length - 1 : turns.length;
}
