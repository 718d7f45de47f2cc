// What people and models say: the parts of a prompt, and the content blocks of a model's messages.
import { z } from 'zod';

export const ImageType = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
export type ImageType = z.infer<typeof ImageType>;

const shownFile = {
  name: z.string(),
  mediaType: z.string(),
  size: z.int().nonnegative().describe('In bytes.'),
};

/** What is shown of a file without its bytes. */
export const ShownFile = z.object(shownFile);
export type ShownFile = z.infer<typeof ShownFile>;

export const PromptPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), mediaType: ImageType, data: z.base64() }),
  /** Any file that isn't an image. Events have it without its bytes. */
  // Not with `extend`: only calls of `z` are dropped from a page that doesn't use them.
  z.object({ ...shownFile, type: z.literal('file'), data: z.base64() }),
]);
export type PromptPart = z.infer<typeof PromptPart>;
export type PromptFile = Extract<PromptPart, { type: 'file' }>;

export const Prompt = z.array(PromptPart).min(1);
export type Prompt = z.infer<typeof Prompt>;

/** A content block exactly as the model wrote it or reads it; unknown types pass through. */
export const ContentBlock = z.looseObject({ type: z.string() });
export type ContentBlock = z.infer<typeof ContentBlock>;

export const Message = z.object({ role: z.enum(['user', 'assistant']), content: z.array(ContentBlock) });
export type Message = z.infer<typeof Message>;

/** The text of a prompt, without its images and files. */
export function promptText(prompt: Prompt): string {
  return prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

export function filesIn(prompt: Prompt): ShownFile[] {
  return prompt.flatMap((part) => (part.type === 'file' ? [toShownFile(part)] : []));
}

export function toShownFile({ name, mediaType, size }: ShownFile): ShownFile {
  return { name, mediaType, size };
}

const attachedFile = 'Attached file: ';

/** A prompt for an engine that finds its files by path: one line for each, after the text. */
export function withAttachedPaths(text: string, paths: readonly string[]): string {
  const lines = paths.map((path) => attachedFile + path).join('\n');
  return text.trim() === '' ? lines : `${text}\n\n${lines}`;
}

/** The other way around. Lines in the middle of a text are words. */
export function splitAttachedPaths(text: string): {
  readonly text: string;
  readonly paths: readonly string[];
} {
  const lines = text.split('\n');
  const last = lines.findLastIndex((line) => !line.startsWith(attachedFile));
  const paths = lines.slice(last + 1).map((line) => line.slice(attachedFile.length));
  return paths.length === 0
    ? { text, paths }
    : {
        text: lines
          .slice(0, last + 1)
          .join('\n')
          .trimEnd(),
        paths,
      };
}

/** The text of a message, without tool calls, results and thinking. */
export function messageText(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join('');
}

function isText(block: ContentBlock): block is ContentBlock & { text: string } {
  return block.type === 'text' && typeof block['text'] === 'string';
}
