// What people and models say: the parts of a prompt, and the content blocks of a model's messages.
import { z } from 'zod';

export const ImageType = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
export type ImageType = z.infer<typeof ImageType>;

export const PromptPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), mediaType: ImageType, data: z.base64() }),
]);
export type PromptPart = z.infer<typeof PromptPart>;

export const Prompt = z.array(PromptPart).min(1);
export type Prompt = z.infer<typeof Prompt>;

/** A content block exactly as the model wrote it or reads it; unknown types pass through. */
export const ContentBlock = z.looseObject({ type: z.string() });
export type ContentBlock = z.infer<typeof ContentBlock>;

export const Message = z.object({ role: z.enum(['user', 'assistant']), content: z.array(ContentBlock) });
export type Message = z.infer<typeof Message>;

/** The text of a prompt, without its images. */
export function promptText(prompt: Prompt): string {
  return prompt.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** The text of a message, without tool calls, results and thinking. */
export function messageText(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (isText(block) ? [block.text] : [])).join('');
}

function isText(block: ContentBlock): block is ContentBlock & { text: string } {
  return block.type === 'text' && typeof block['text'] === 'string';
}
