// Typed messages with images and files: the body limit of routes that take them, and the prompt they become.
import { type FileAttachment, type ImageAttachment, ParleyError, type Prompt } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  attachmentLimits,
  checkFile,
  checkTogether,
  largestAttachments,
} from '../../../content/check-file.ts';
import { checkImage, largestImage } from '../../../content/check-image.ts';
import { cleanMessage } from '../../../content/clean-text.ts';
import { sendError } from '../errors.ts';

export interface TypedMessage {
  readonly message?: string | undefined;
  readonly image?: ImageAttachment | null | undefined;
  readonly images?: readonly ImageAttachment[] | undefined;
  readonly files?: readonly FileAttachment[] | undefined;
}

/** Throws `invalid` or `too_large` with a message for the person. The text may be empty if there is something else. */
export function messageToPrompt(
  { message = '', image, images = [], files = [] }: TypedMessage,
  longest: number,
): Prompt {
  const text = cleanMessage(message, longest);
  const words = text.trim() === '' ? [] : [{ type: 'text' as const, text }];
  const pictures = (image ? [image, ...images] : images).map(checkImage);
  // The question comes last: models answer better if it follows what it is about.
  const prompt = [...pictures, ...files.map(checkFile), ...words];
  checkTogether(prompt);
  if (prompt.length === 0) throw new ParleyError('invalid', '`message` is empty.');
  return prompt;
}

/** Route options for a body of `bodyBytes` plus what may be attached. */
export function attachmentBodies(bodyBytes: number) {
  return {
    bodyLimit: bodyBytes + attachmentLimits.base64Length,
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(request, reply, isTooLarge(error) ? tooLarge : error),
  };
}

/** Nobody types that much: it's a photo straight from a camera. */
const tooLarge = new ParleyError(
  'too_large',
  `The message is too large. An image can be at most ${largestImage}, and all attachments together at most ${largestAttachments}. Send less.`,
);

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}
