// An event that is folded into the view, and the origin of the items that it becomes.
import type { PersonName, Seq, SessionEvent, TurnId } from '@parley/protocol';
import type { Item } from './view.ts';

/** An event with its context. Live events have a number, past ones don't. */
export interface Entry {
  readonly seq?: Seq | undefined;
  readonly at: number | null;
  readonly turnId?: TurnId | undefined;
  readonly author?: PersonName | undefined;
  readonly event: SessionEvent;
}

export interface Origin {
  readonly entry: Entry;
  readonly thread: string;
  /** The JSON of the frame. */
  readonly frame: string | undefined;
  /** Makes the key of the next item. */
  readonly nextKey: () => string;
}

/** The fields that every item has. */
export function base({ entry: { at, turnId }, frame, nextKey }: Origin): Omit<Item, 'kind'> {
  return { key: nextKey(), at: at ?? undefined, turnId, frame };
}
