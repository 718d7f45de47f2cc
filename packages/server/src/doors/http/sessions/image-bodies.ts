// Bodies with images in them: how large they may be, and what is said of one that is larger.
import { ParleyError } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { imageLimits } from '../../../domain/images/check-image.ts';
import { sendError } from '../errors.ts';

/** Options of a route that takes so many images beside a body of so many bytes. */
export function imageBodies(mostImages: number, bodyBytes: number) {
  return {
    bodyLimit: bodyBytes + mostImages * imageLimits.base64Length,
    errorHandler: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      sendError(request, reply, isTooLarge(error) ? tooLarge : error),
  };
}

/** Nobody types so much: it is a picture, straight from a camera. */
const tooLarge = new ParleyError(
  'invalid',
  'This is more than a message may hold. An image may be of 3.75 MB at most: send a smaller one.',
);

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}
