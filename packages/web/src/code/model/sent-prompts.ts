// Prompts between this page and the program: shown at once, and dropped when they come back as a message or in the
// queue. They are recognised by their words, since the program gives them ids of its own.
import type { PromptContent } from '@parley/protocol';
import { commandIn } from './commands.ts';
import { type Frame, type Json, record, records, text } from './read.ts';

export interface SentPrompt {
  /** The server takes a prompt with the same key once. */
  readonly key: string;
  readonly content: PromptContent;
  readonly hasFailed: boolean;
}

export function wordsOf(content: PromptContent): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n');
}

export function withoutArrived(
  sent: readonly SentPrompt[],
  arrived: readonly string[],
): readonly SentPrompt[] {
  if (sent.length === 0 || arrived.length === 0) return sent;
  const left = [...sent];
  for (const words of arrived) {
    const at = left.findIndex(({ content }) => wordsOf(content).trim() === words.trim());
    if (at >= 0) left.splice(at, 1);
  }
  return left.length === sent.length ? sent : left;
}

export function promptsIn(frames: readonly Frame[]): readonly string[] {
  return frames.flatMap((frame) => {
    if (frame['type'] !== 'user') return [];
    const { content } = record(frame['message']) as { content?: unknown };
    const words = typeof content === 'string' ? [content] : records(content).flatMap(textOf);
    if (words.length === 0) return [];
    const said = words.join('\n\n');
    return [commandIn(said) ?? said];
  });
}

function textOf(block: Json): readonly string[] {
  return block['type'] === 'text' ? [text(block['text']) ?? ''] : [];
}
