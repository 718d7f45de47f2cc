// Messages in the person's name: prompts, results of tools, and what the program itself puts there.
import { between, commandIn } from './commands.ts';
import type { Draft } from './draft.ts';
import type { Item, NoteItem, Picture } from './items.ts';
import { type Frame, type Json, record, records, text } from './read.ts';
import { withoutStyles } from './terminal-text.ts';

export function readUser(draft: Draft, frame: Frame): readonly Item[] {
  const { content } = record(frame['message']) as { content?: unknown };
  if (typeof content === 'string') return readWords(frame, content, []);
  const blocks = records(content);
  for (const block of blocks) if (block['type'] === 'tool_result') keepResult(draft, frame, block);
  const words = blocks.flatMap((block) => (block['type'] === 'text' ? [text(block['text']) ?? ''] : []));
  return readWords(frame, words.join('\n\n'), blocks.flatMap(pictureOf));
}

function readWords(frame: Frame, words: string, pictures: readonly Picture[]): readonly Item[] {
  if (words.trim() === '' && pictures.length === 0) return [];
  const common = {
    key: text(frame['uuid']) ?? JSON.stringify(frame),
    at: text(frame['timestamp']),
    raw: frame,
  };
  const note = noteOf(words);
  if (note) return [{ ...common, kind: 'note', tone: 'plain', ...note }];
  // Context that the program adds for the model; nobody typed it.
  if (frame['isMeta'] === true || frame['isSynthetic'] === true) return [];
  if (frame['isCompactSummary'] === true) {
    return [
      { ...common, kind: 'note', tone: 'plain', text: 'Earlier messages were summarised.', detail: words },
    ];
  }
  return [{ ...common, kind: 'prompt', text: words, pictures }];
}

/** Texts by which the program tells of something. */
function noteOf(words: string): Pick<NoteItem, 'text' | 'detail'> | undefined {
  if (/^\[Request interrupted by user[^\]]*\]$/.test(words.trim()))
    return { text: 'Interrupted', detail: undefined };
  const command = commandIn(words);
  if (command !== undefined) return { text: command, detail: undefined };
  const output = between(words, 'local-command-stdout') ?? between(words, 'local-command-stderr');
  if (output !== undefined) return { text: 'Output of the command', detail: withoutStyles(output) };
  const shell = between(words, 'bash-input');
  if (shell !== undefined) return { text: `! ${shell}`, detail: undefined };
  const printed = between(words, 'bash-stdout') ?? between(words, 'bash-stderr');
  if (printed !== undefined) return { text: 'Output of the command', detail: withoutStyles(printed) };
  if (words.startsWith('<task-notification>')) {
    return {
      text: between(words, 'summary') ?? 'A background task reported.',
      detail: between(words, 'result'),
    };
  }
  return undefined;
}

function keepResult(draft: Draft, frame: Frame, block: Json): void {
  const id = text(block['tool_use_id']);
  if (id === undefined) return;
  const { content } = block as { content?: unknown };
  const blocks = records(content);
  draft.setResult(id, {
    isError: block['is_error'] === true,
    isDenied: record(frame['permissionDecision'])['decision'] === 'reject',
    text: typeof content === 'string' ? content : blocks.map(resultText).filter(Boolean).join('\n'),
    pictures: blocks.flatMap(pictureOf),
    details: record(frame['tool_use_result'] ?? frame['toolUseResult']),
    raw: frame,
  });
}

function resultText(block: Json): string {
  if (block['type'] === 'tool_reference') return `Loaded ${text(block['tool_name']) ?? 'a tool'}`;
  return text(block['text']) ?? '';
}

function pictureOf(block: Json): readonly Picture[] {
  const source = record(block['source']);
  const data = text(source['data']);
  const mediaType = text(source['media_type']) ?? '';
  const isPicture = block['type'] === 'image' && /^image\/(png|jpeg|gif|webp)$/.test(mediaType);
  return isPicture && data !== undefined ? [{ mediaType, data }] : [];
}
