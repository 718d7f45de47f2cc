// Reads a session, oldest first, as the items that an export shows. Transcripts are paged backwards, so to keep memory
// bounded it first notes where each page starts and then reads the pages again in order.
import {
  type ContentBlock,
  messageText,
  type PastEntry,
  type PersonName,
  type Prompt,
  promptText,
  type ShownFile,
  splitAttachedPaths,
  type Turn,
  type TurnId,
} from '@parley/protocol';
import { isPrompt } from '../../../domain/past-prompt.ts';

interface Picture {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string;
}

export type ExportItem =
  | {
      readonly kind: 'prompt';
      readonly id: TurnId | undefined;
      readonly at: number | null;
      /** Who wrote it; absent for the person who reads the export. */
      readonly author?: string | undefined;
      readonly text: string;
      readonly images: readonly Picture[];
      readonly files: readonly Pick<ShownFile, 'name'>[];
    }
  | { readonly kind: 'answer'; readonly at: number | null; readonly text: string }
  | { readonly kind: 'tool'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly text: string; readonly isError: boolean }
  | { readonly kind: 'notice'; readonly text: string };

interface Page {
  readonly entries: readonly PastEntry[];
  readonly before: string | null;
}

/** The name to show for a prompt's author; undefined means the session's owner. */
export type NameOf = (author: PersonName | undefined) => string | undefined;

/** For engines that store turns. */
export function* itemsOfTurns(turns: readonly Turn[], nameOf: NameOf): Generator<ExportItem> {
  for (const { id, prompt, text, startedAt, queuedAt, endedAt, error, author } of turns) {
    yield { ...promptItem(id, startedAt ?? queuedAt, prompt), author: nameOf(author) };
    if (text !== '') yield { kind: 'answer', at: endedAt ?? null, text };
    if (error) yield { kind: 'notice', text: error.message };
  }
}

/** For engines with their own record. */
export async function* itemsOfPages(
  read: (before: string | undefined) => Promise<Page>,
  nameOf: NameOf,
): AsyncGenerator<ExportItem> {
  const newest = await read(undefined);
  const starts: string[] = [];
  for (let start = newest.before; start !== null; ) {
    starts.push(start);
    ({ before: start } = await read(start));
  }
  for (const start of starts.toReversed()) yield* itemsOf((await read(start)).entries, nameOf);
  // Not read again: there may be more by now, and the entries in between would be missing.
  yield* itemsOf(newest.entries, nameOf);
}

/** Yields only these turns, or all of them if the set is empty. */
export async function* selected(
  items: Iterable<ExportItem> | AsyncIterable<ExportItem>,
  turns: ReadonlySet<TurnId>,
): AsyncGenerator<ExportItem> {
  let isIn = turns.size === 0;
  for await (const item of items) {
    if (item.kind === 'prompt' && turns.size > 0) isIn = turns.has(item.id ?? '');
    if (isIn) yield item;
  }
}

function* itemsOf(entries: readonly PastEntry[], nameOf: NameOf): Generator<ExportItem> {
  for (const entry of entries) {
    const { event, at } = entry;
    if (event.type !== 'frame' || event.subagent !== undefined) continue;
    for (const meaning of event.means) {
      if (meaning.type === 'notice') yield { kind: 'notice', text: meaning.message };
      if (meaning.type !== 'message') continue;
      if (meaning.role === 'assistant') yield* itemsOfAnswer(meaning.content, at);
      else yield* itemsOfUser(meaning.content, entry, { id: event.uuid, author: nameOf(entry.author) });
    }
  }
}

function* itemsOfAnswer(content: readonly ContentBlock[], at: number | null): Generator<ExportItem> {
  for (const block of content) {
    const text = block.type === 'text' ? messageText([block]) : '';
    if (text.trim() !== '') yield { kind: 'answer', at, text };
    if (block.type === 'tool_use')
      yield { kind: 'tool', id: String(block['id']), name: String(block['name']), input: block['input'] };
  }
}

function* itemsOfUser(
  content: readonly ContentBlock[],
  entry: PastEntry,
  prompt: { readonly id: string | undefined; readonly author: string | undefined },
): Generator<ExportItem> {
  for (const block of content) {
    if (block.type !== 'tool_result') continue;
    const inner = block['content'];
    const text = typeof inner === 'string' ? inner : messageText(Array.isArray(inner) ? inner : []);
    yield { kind: 'result', id: String(block['tool_use_id']), text, isError: block['is_error'] === true };
  }
  if (!isPrompt(entry)) return;
  const { text, paths } = splitAttachedPaths(messageText(content));
  const images = content.flatMap((block): Picture[] => {
    const source = (block['source'] ?? {}) as { media_type?: unknown; data?: unknown };
    if (block.type !== 'image' || typeof source.data !== 'string') return [];
    return [{ mediaType: String(source.media_type), data: source.data }];
  });
  const files = paths.map((path) => ({ name: path.slice(path.lastIndexOf('/') + 1) }));
  yield { kind: 'prompt', ...prompt, at: entry.at, text, images, files };
}

function promptItem(id: TurnId, at: number, prompt: Prompt): Extract<ExportItem, { kind: 'prompt' }> {
  return {
    kind: 'prompt',
    id,
    at,
    text: promptText(prompt),
    images: prompt.flatMap((part) =>
      part.type === 'image' ? [{ mediaType: part.mediaType, data: part.data }] : [],
    ),
    files: prompt.flatMap((part) => (part.type === 'file' ? [{ name: part.name }] : [])),
  };
}
