// Turns a message and its images into a prompt: cleaned, checked, never empty.
import { type ImageAttachment, ParleyError, type Prompt } from '@parley/protocol';
import { checkImage } from '../../../content/check-image.ts';
import { cleanMessage } from '../../../content/clean-text.ts';

export interface TypedMessage {
  readonly message?: string | undefined;
  readonly image?: ImageAttachment | null | undefined;
  readonly images?: readonly ImageAttachment[] | undefined;
}

/** Throws `invalid` or `too_large` with a message for the person. The text may be empty if there is an image. */
export function messageToPrompt({ message = '', image, images = [] }: TypedMessage, longest: number): Prompt {
  const text = cleanMessage(message, longest);
  const words = text.trim() === '' ? [] : [{ type: 'text' as const, text }];
  const pictures = (image ? [image, ...images] : images).map(checkImage);
  // Images first: models answer better if the question follows what it is about.
  const prompt = [...pictures, ...words];
  if (prompt.length === 0) throw new ParleyError('invalid', '`message` is empty.');
  return prompt;
}
