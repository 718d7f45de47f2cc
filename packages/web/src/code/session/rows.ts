// The rows of a transcript: what was said, what is being written, what is on its way. Pure.
import type { Item, PartialBlock } from '../model/items.ts';
import type { SentPrompt } from '../model/sent-prompts.ts';
import type { SessionView } from '../model/session-view.ts';
import { mainThread, partialOf, threadOf } from '../model/transcript.ts';

export type Row =
  | { readonly type: 'item'; readonly key: string; readonly item: Item }
  | { readonly type: 'partial'; readonly key: string; readonly block: PartialBlock }
  | { readonly type: 'sent'; readonly key: string; readonly prompt: SentPrompt };

const known = new WeakMap<Item, Row>();

export function rowsOf({ transcript, sent }: SessionView): readonly Row[] {
  return [
    ...threadOf(transcript, mainThread).map(itemRow),
    ...sent.map((prompt): Row => ({ type: 'sent', key: `sent ${prompt.key}`, prompt })),
    ...partialOf(transcript, mainThread).map(
      (block): Row => ({ type: 'partial', key: `partial ${block.index}`, block }),
    ),
  ];
}

/** The same row for the same item, so that a long transcript is not made anew for each word. */
function itemRow(item: Item): Row {
  const row = known.get(item);
  if (row) return row;
  const made: Row = { type: 'item', key: item.key, item };
  known.set(item, made);
  return made;
}
