// What can go wrong between Parley and the Messages API, and what to tell the person about it.
import type { IncomingHttpHeaders } from 'node:http';
import { type EngineFailure, say } from '@parley/protocol';
import { retryAfterMs, waitText } from '../../content/waiting-time.ts';

export type ProblemKind =
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'unreachable'
  | 'cut-off'
  | 'stalled'
  | 'bad-credentials'
  | 'no-credit'
  | 'unknown-model'
  | 'too-long'
  | 'unreadable-picture'
  | 'unreadable-file'
  | 'refused';

export interface ProblemDetails {
  /** Absent for a problem after the answer started, when its status was already sent. */
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  /** The wait that the service asks for. */
  readonly retryAfterMs?: number | undefined;
  /** Whether the service itself says to retry. */
  readonly shouldRetry?: boolean | undefined;
  readonly cause?: unknown;
}

/** Its message is for the log; `toFailure` returns the one for people. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly kind: ProblemKind;
  readonly details: ProblemDetails;

  constructor(kind: ProblemKind, message: string, details: ProblemDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.kind = kind;
    this.details = details;
  }
}

/** Whether the same request may work a little later. A stall is not retried, because it has already taken long. */
export function isTransient({ kind, details }: ApiProblem): boolean {
  const transient = ['rate-limited', 'overloaded', 'server-error', 'unreachable', 'cut-off'].includes(kind);
  return details.shouldRetry ?? transient;
}

/** An `error` event inside a stream that started well. */
export function problemInStream(type: unknown, message: unknown): ApiProblem {
  return new ApiProblem(kinds[String(type)] ?? 'server-error', `${String(type)}: ${String(message)}`);
}

export interface ErrorAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** An answer that is an error from the start. `now` is needed for a `retry-after` that is a date. */
export function problemOfAnswer({ status, headers, body }: ErrorAnswer, now: number): ApiProblem {
  const { type, message } = parseError(body);
  const shouldRetry = headers['x-should-retry'];
  return new ApiProblem(kindOf(status, type, message ?? ''), message ?? `status ${status}`, {
    status,
    requestId: header(headers, 'request-id'),
    retryAfterMs: retryAfter(headers, now),
    shouldRetry: shouldRetry === 'true' ? true : shouldRetry === 'false' ? false : undefined,
  });
}

export function toFailure(problem: ApiProblem): EngineFailure {
  const code = failureCodes[problem.kind] ?? 'unavailable';
  const recoverable = !lasting.has(problem.kind);
  const wait = recoverable ? secondsToWait(problem.details) : undefined;
  return {
    type: 'failed',
    code,
    message: sentenceFor(problem),
    recoverable,
    ...(wait !== undefined && { retryAfterSeconds: wait }),
  };
}

/** For any other problem, the API is `unavailable`. */
const failureCodes: Readonly<Partial<Record<ProblemKind, EngineFailure['code']>>> = {
  'rate-limited': 'rate_limited',
  'unknown-model': 'invalid',
  'too-long': 'too_large',
  'unreadable-picture': 'invalid',
  'unreadable-file': 'invalid',
  refused: 'invalid',
};

/** Sending the same message again would fail again. */
const lasting: ReadonlySet<ProblemKind> = new Set([
  'bad-credentials',
  'no-credit',
  'unknown-model',
  'too-long',
  'unreadable-picture',
  'unreadable-file',
  'refused',
]);

function sentenceFor({ kind, details }: ApiProblem): string {
  const { status } = details;
  switch (kind) {
    case 'rate-limited':
      return say`The API key has reached its rate limit. Send the message again ${later(details)}.`;
    case 'overloaded':
      return say`Claude is overloaded. Send the message again ${later(details)}.`;
    case 'server-error':
      return status === undefined
        ? say`The Anthropic API stopped in the middle of the answer because of an internal problem. Send the message again ${later(details)}.`
        : say`The Anthropic API has an internal problem (status ${status}). Send the message again ${later(details)}.`;
    case 'unreachable':
      return say`The Anthropic API cannot be reached. Check the network connection, then send the message again.`;
    case 'cut-off':
      return say`The connection to the Anthropic API was lost before the answer was complete. Send the message again.`;
    case 'stalled':
      return say`The Anthropic API stopped responding before the answer was complete. Send the message again.`;
    case 'bad-credentials':
      return say`The Anthropic API did not accept the API key. Set ANTHROPIC_API_KEY to a valid key and restart Parley.`;
    case 'no-credit':
      return say`The account behind ANTHROPIC_API_KEY has no credit left. Add credit in the Anthropic Console, then send the message again.`;
    case 'unknown-model':
      return say`The Anthropic API does not know the chosen model. Choose another model for the conversation, or set PARLEY_MODEL.`;
    case 'too-long':
      return say`The message is too long for the model, even without the earlier conversation. Send a shorter one.`;
    case 'unreadable-picture':
      return say`Claude could not read the picture. Save it as a PNG or JPEG of at most 5 MB and 8,000 pixels per side, then send it again.`;
    case 'unreadable-file':
      return say`Claude could not read the file. A PDF must open without a password and have at most 100 pages. Save it again, or send its text.`;
    case 'refused':
      return status === undefined
        ? say`The Anthropic API refused to finish the answer. The server log has the details.`
        : say`The Anthropic API refused the request (status ${status}). The server log has the details.`;
    default:
      return kind satisfies never;
  }
}

function later(details: ProblemDetails): string {
  const seconds = secondsToWait(details);
  return seconds === undefined ? say`in a moment` : waitText(seconds);
}

function secondsToWait({ retryAfterMs }: ProblemDetails): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(retryAfterMs / 1_000));
}

const kinds: Readonly<Record<string, ProblemKind | undefined>> = {
  rate_limit_error: 'rate-limited',
  overloaded_error: 'overloaded',
  api_error: 'server-error',
  timeout_error: 'server-error',
  authentication_error: 'bad-credentials',
  permission_error: 'bad-credentials',
  billing_error: 'no-credit',
  not_found_error: 'unknown-model',
  request_too_large: 'too-long',
  invalid_request_error: 'refused',
};

function kindOf(status: number, type: string | undefined, message: string): ProblemKind {
  if (status === 400 && /prompt is too long|exceed context limit/i.test(message)) return 'too-long';
  if (status === 400 && /\bimages?\b/i.test(message)) return 'unreadable-picture';
  if (status === 400 && /\b(pdfs?|documents?)\b/i.test(message)) return 'unreadable-file';
  if (status === 400 && /credit balance/i.test(message)) return 'no-credit';
  const known = kinds[type ?? ''];
  if (known !== undefined) return known;
  switch (status) {
    case 401:
    case 403:
      return 'bad-credentials';
    case 402:
      return 'no-credit';
    case 404:
      return 'unknown-model';
    case 413:
      return 'too-long';
    case 429:
      return 'rate-limited';
    case 529:
      return 'overloaded';
    default:
      return status < 500 && status !== 408 ? 'refused' : 'server-error';
  }
}

function parseError(body: string): { readonly type?: string; readonly message?: string } {
  try {
    const { error } = JSON.parse(body) as { error?: { type?: unknown; message?: unknown } };
    return {
      ...(typeof error?.type === 'string' && { type: error.type }),
      ...(typeof error?.message === 'string' && { message: error.message }),
    };
  } catch {
    // A proxy may answer in HTML, and a cut body isn't JSON. The status says enough.
    return {};
  }
}

function retryAfter(headers: IncomingHttpHeaders, now: number): number | undefined {
  const milliseconds = Number(header(headers, 'retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  return retryAfterMs(header(headers, 'retry-after'), now);
}

function header(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.[0];
}
