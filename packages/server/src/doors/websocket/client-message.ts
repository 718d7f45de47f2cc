// Parses what a client sends: anything that is not exactly a known message is refused with a sentence.
import {
  CodeClientMessage,
  type FileAttachment,
  ParleyError,
  type Prompt,
  type PromptContent,
} from '@parley/protocol';
import type { z } from 'zod';
import { checkFile, checkTogether } from '../../content/check-file.ts';
import { checkImage } from '../../content/check-image.ts';
import { cleanMessage } from '../../content/clean-text.ts';

/** A union of messages, each with its own `type`. */
type Messages<Message> = z.ZodType<Message> & {
  readonly options: readonly { readonly shape: { readonly type: z.ZodLiteral<string> } }[];
};

type DocumentBlock = Extract<Exclude<PromptContent, string>[number], { type: 'document' }>;

/** Throws `invalid`. */
export function parseClientMessage(text: string): CodeClientMessage {
  return parseMessage(text, CodeClientMessage);
}

/** Throws `invalid`. */
export function parseMessage<Message>(text: string, messages: Messages<Message>): Message {
  const parsed = messages.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  if (issue?.path[0] === 'content') throw new ParleyError('invalid', whatContentIs);
  if (field === 'type') {
    const known = messages.options.map(({ shape }) => shape.type.value).join(', ');
    throw new ParleyError('invalid', `Unknown message type. Known types: ${known}.`);
  }
  throw new ParleyError(
    'invalid',
    field === '' ? 'A message is a JSON object with a `type`.' : `\`${field}\`: ${issue?.message}.`,
  );
}

/** Throws `invalid` or `too_large` for what the program should not get. */
export function contentToPrompt(content: PromptContent, longest: number): Prompt {
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const prompt = blocks.flatMap((block): Prompt => {
    if (block.type === 'image') return [checkImage(block.source)];
    if (block.type === 'document') return [checkFile(toFile(block))];
    const text = cleanMessage(block.text, longest, 'content');
    return text.trim() === '' ? [] : [{ type: 'text', text }];
  });
  if (prompt.length === 0) throw new ParleyError('invalid', '`content` is empty.');
  checkTogether(prompt);
  return prompt;
}

function toFile({ title, source }: DocumentBlock): FileAttachment {
  const name = title ?? (source.media_type === 'application/pdf' ? 'document.pdf' : 'document.txt');
  const data = source.type === 'text' ? Buffer.from(source.data).toString('base64') : source.data;
  return { name, data, media_type: source.media_type };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') throw forbiddenKey;
      return value;
    });
  } catch (error) {
    throw error === forbiddenKey
      ? forbiddenKey
      : new ParleyError('invalid', 'The message is not valid JSON.');
  }
}

const forbiddenKey = new ParleyError('invalid', 'A message may not have a field `__proto__`.');
const whatContentIs =
  '`content` must be text, or a list of blocks of text, images (JPEG, PNG, GIF or WebP as base64) and documents, and not empty.';
