// What people and models say: the parts of a prompt, and the content blocks of a model's messages.
import { z } from 'zod';

export const ImageType = z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
export type ImageType = z.infer<typeof ImageType>;

/** What is shown of a file without its bytes. */
export const ShownFile = z.object({
  name: z.string(),
  mediaType: z.string(),
  size: z.int().nonnegative().describe('In bytes.'),
});
export type ShownFile = z.infer<typeof ShownFile>;

export const PromptPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('image'), mediaType: ImageType, data: z.base64() }),
  /** Any file that isn't an image. Events leave out its bytes. */
  ShownFile.extend({ type: z.literal('file'), data: z.base64() }),
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
