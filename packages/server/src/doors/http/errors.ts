// The one table from error codes to HTTP statuses, and the wire form of every failure.
import { type ErrorBody, type ErrorCode, ParleyError } from '@parley/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { adviceText, WeakPassword } from '../../domain/weak-password.ts';
import { textsFor } from './web-app/page-texts.ts';

export interface Failure {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds?: number | undefined;
}

const statusOf: Readonly<Record<ErrorCode, number>> = {
  invalid: 400,
  unauthenticated: 401,
  // Not 429, which clients retry on their own.
  over_budget: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  not_resumable: 409,
  in_terminal: 409,
  lagged: 410,
  too_large: 413,
  moved: 421,
  rate_limited: 429,
  busy: 429,
  internal: 500,
  unavailable: 503,
  storage_full: 507,
};

/** Retry-After where the real wait is unknown: a slot becomes free when some turn ends. */
const busySeconds = 5;

/** The most we read of a body that is being discarded. */
const maxDiscarded = 64 * 1024 * 1024;

/** Errors the framework raises before a handler runs, in our words. */
const frameworkFailures: Readonly<Record<string, Failure>> = {
  FST_ERR_CTP_EMPTY_JSON_BODY: { status: 400, code: 'invalid', message: 'The body is empty; send JSON.' },
  FST_ERR_CTP_INVALID_JSON_BODY: { status: 400, code: 'invalid', message: 'The body is not valid JSON.' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: {
    status: 415,
    code: 'invalid',
    message: 'Send the body as JSON, with the header Content-Type: application/json.',
  },
  FST_ERR_CTP_BODY_TOO_LARGE: {
    status: 413,
    code: 'too_large',
    message: 'The body is larger than this server accepts.',
  },
};

/** For unknown paths, and for unknown files under a known one. */
export const noSuchRoute = new ParleyError('not_found', 'There is nothing at this address.');

/** Turns whatever was thrown into what the client may see. Internals go only to the log. */
export function toFailure(thrown: unknown): Failure {
  if (thrown instanceof ParleyError) {
    const { code, message, retryAfterSeconds } = thrown;
    return { status: statusOf[code], code, message, retryAfterSeconds };
  }
  const { code, statusCode, validation } = thrown as FrameworkError;
  if (validation?.[0]) return { status: 400, code: 'invalid', message: sentence(validation[0]) };
  const known = code === undefined ? undefined : frameworkFailures[code];
  if (known) return known;
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) {
    return { status: statusCode, code: 'invalid', message: 'The request could not be understood.' };
  }
  return toFailure(ParleyError.from(thrown));
}

export function sendError(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
  sendFailure(request, reply, thrown, ({ code, message }): ErrorBody => ({ error: { code, message } }));
}

/** Sends a failure in the shape the endpoint promises. */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  render: (failure: Failure) => object,
): void {
  const failure = inLanguageOf(request, thrown);
  if (failure.status >= 500) logFailure(request, thrown);
  const wait = failure.retryAfterSeconds ?? (failure.status === 429 ? busySeconds : undefined);
  if (wait !== undefined && !reply.hasHeader('retry-after')) reply.header('retry-after', wait);
  answerFailure(request, reply, failure.status, render(failure));
}

/** Messages for programs stay English. Advice on choosing a password is in the person's language. */
function inLanguageOf(request: FastifyRequest, thrown: unknown): Failure {
  const failure = toFailure(thrown);
  if (!(thrown instanceof WeakPassword)) return failure;
  return { ...failure, message: adviceText(thrown.advice, textsFor(request).weakPassword) };
}

export function answerFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  status: number,
  body: object,
): void {
  discardBody(request, reply);
  // Sent as text, because a route's response schema would reject what the policy sends.
  void reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}

/**
 * A client that is still sending would lose the answer along with its connection, so we read and discard the rest of
 * its body, up to a bound.
 */
function discardBody({ raw: request }: FastifyRequest, reply: FastifyReply): void {
  if (request.complete) return;
  reply.removeHeader('connection');
  let left = maxDiscarded;
  request.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) request.destroy();
  });
}

/**
 * The id is also in the response header X-Request-Id, so that people can quote it. Expected failures, such as a model
 * that can't be reached, are logged without a stack.
 */
export function logFailure({ server, id: requestId }: FastifyRequest, thrown: unknown): void {
  const isExpected =
    thrown instanceof ParleyError && thrown.code !== 'internal' && thrown.cause === undefined;
  if (isExpected) {
    const { code: error, message: reason } = thrown;
    server.doorLogger.warn({ requestId, error, reason }, 'request failed');
  } else server.doorLogger.error({ err: thrown, requestId }, 'request failed');
}

interface FrameworkError {
  readonly code?: string;
  readonly statusCode?: number;
  readonly validation?: readonly { readonly instancePath: string; readonly message?: string }[];
}

function sentence({ instancePath, message }: { instancePath: string; message?: string }): string {
  const field = instancePath.replace(/^\//, '').replaceAll('/', '.');
  const problem = message ?? 'is not valid';
  // Our own schemas already produce sentences; the validator's defaults need a subject.
  return /[.!?]$/.test(problem) ? problem : `${field === '' ? 'The request' : `\`${field}\``}: ${problem}.`;
}
