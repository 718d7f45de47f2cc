// The rows of a transcript: what was said and done, what is being written, and what is on its way to the server.
import type {
  ConversationSnapshot,
  Item,
  PartialBlock,
  SentPrompt,
  TextItem,
  ThinkingItem,
} from '@parley/client';
import { mainThread } from '@parley/client';
import { useMemo } from 'react';
import type { ConversationKind } from './context.ts';

export type Row =
  | Item
  | { readonly kind: 'writing'; readonly key: string; readonly item: TextItem | ThinkingItem }
  | { readonly kind: 'calling'; readonly key: string }
  | { readonly kind: 'sent'; readonly key: string; readonly prompt: SentPrompt }
  | { readonly kind: 'working'; readonly key: string };

export function useRows({ view, sent }: ConversationSnapshot, kind: ConversationKind): readonly Row[] {
  const { items, tools, permissions, running } = view;
  const shown = useMemo(
    () => items.filter((item) => item.kind !== 'permission' || kind.showsDecisions),
    [items, kind.showsDecisions],
  );
  const blocks = view.writing.get(mainThread) ?? nothing;
  const last = shown.at(-1);
  const isToolRunning = last?.kind === 'tool' && tools.get(last.id)?.outcome === 'running';
  const isQuiet = running !== undefined && blocks.length === 0 && !isToolRunning && permissions.length === 0;
  return useMemo(
    () => [
      ...shown,
      ...blocks.map(toRow),
      ...(isQuiet ? [working] : []),
      ...sent.map((prompt): Row => ({ kind: 'sent', key: `sent ${prompt.key}`, prompt })),
    ],
    [shown, blocks, isQuiet, sent],
  );
}

/** A row keeps its key when a streaming block becomes an item, so that it isn't mounted again. */
export function rowKey(row: Row): string {
  return row.kind === 'text' || row.kind === 'thinking' ? (row.writtenAs ?? row.key) : row.key;
}

function toRow(block: PartialBlock): Row {
  const { key } = block;
  const item = itemOf(block);
  return item ? { kind: 'writing', key, item } : { kind: 'calling', key };
}

/** A streaming block as the item that it will become. */
export function itemOf({ key, kind, text }: PartialBlock): TextItem | ThinkingItem | undefined {
  return kind === 'tool'
    ? undefined
    : { kind, key, text, at: undefined, turnId: undefined, frame: undefined };
}

const nothing: readonly PartialBlock[] = [];
const working: Row = { kind: 'working', key: 'working' };

const lineHeight = 26;
const lettersPerLine = 90;
const gap = 16;

/** How tall a row will probably be. The closer the estimate, the less there is to correct while scrolling. */
export function estimateHeight(row: Row | undefined): number {
  switch (row?.kind) {
    case 'prompt':
      return gap + 32 + textHeight(row.text);
    case 'text':
      return gap + textHeight(row.text);
    case 'writing':
      return gap + textHeight(row.item.text);
    case 'tool':
      return gap + (['Bash', 'Edit', 'Write', 'MultiEdit'].includes(row.tool) ? 130 : 40);
    case 'sent':
      return gap + 60;
    default:
      return gap + lineHeight;
  }
}

function textHeight(text: string): number {
  const lines = text
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lettersPerLine)), 0);
  return Math.min(lines, 200) * lineHeight;
}
