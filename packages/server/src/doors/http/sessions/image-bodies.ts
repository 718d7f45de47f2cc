// Body limits for routes that take images, and the error for larger ones.
import { ParleyError } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { imageLimits, largestImage } from '../../../content/check-image.ts';
import { sendError } from '../errors.ts';

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
