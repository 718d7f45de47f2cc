// Typed messages with images: the body limit of routes that take them, and the prompt they become.
import { type ImageAttachment, ParleyError, type Prompt } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkImage, imageLimits, largestImage } from '../../../content/check-image.ts';
import { cleanMessage } from '../../../content/clean-text.ts';
import { sendError } from '../errors.ts';

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

/** Route options for a body of `bodyBytes` plus this many images. */
export function imageBodies(mostImages: number, bodyBytes: number) {
  return {
    bodyLimit: bodyBytes + mostImages * imageLimits.base64Length,
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(request, reply, isTooLarge(error) ? tooLarge : error),
  };
}

/** Nobody types that much: it's a photo straight from a camera. */
const tooLarge = new ParleyError(
  'too_large',
  `The message is too large. An image may have at most ${largestImage}: send a smaller one.`,
);

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}
