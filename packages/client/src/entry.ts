// An event on its way into the view, and where the items made of it come from.
import type { PersonName, Seq, SessionEvent, TurnId } from '@parley/protocol';
import type { Item } from './view.ts';

/** An event in its place. Live events have a number, those of the past have none. */
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

/** What every item has. */
export function base({ entry: { at, turnId }, frame, nextKey }: Origin): Omit<Item, 'kind'> {
  return { key: nextKey(), at: at ?? undefined, turnId, frame };
}
