// The one place that knows the Anthropic SDK: it sends a request and gives the open stream, or an ApiProblem.
// Retries are ours (see retry-policy.ts), because only we know what a person has seen already.
import type { APIError } from '@anthropic-ai/sdk';
import type { MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { Clock } from '../../domain/clock.ts';
import { ApiProblem, type ProblemKind } from './api-problem.ts';
import { createHttpFetch } from './http-fetch.ts';

export interface ApiClientOptions {
  readonly apiKey: string;
  readonly baseUrl?: string | undefined;
  readonly clock: Clock;
}

export interface ApiClient {
  /** Resolves when the reply begins. Rejects with an ApiProblem, or with the signal's reason. */
  open(request: MessageCreateParamsStreaming, signal: AbortSignal): Promise<AsyncIterable<Uint8Array>>;
}

/** An hour: stalls are ours to notice, the SDK's own clock shall not get in the way. */
const sdkTimeoutMs = 3_600_000;

export function createApiClient({ apiKey, baseUrl, clock }: ApiClientOptions): ApiClient {
  // Loading the SDK takes longer than all else a start does, so it waits for the first prompt.
  const http = createHttpFetch();
  const load = once(async () => {
    const sdk = await import('@anthropic-ai/sdk');
    const client = new sdk.Anthropic({
      apiKey,
      authToken: null,
      baseURL: baseUrl ?? 'https://api.anthropic.com',
      fetch: http.fetch,
      maxRetries: 0,
      timeout: sdkTimeoutMs,
      logLevel: 'off',
    });
    return { sdk, client };
  });

  return {
    async open(request, signal) {
      const { sdk, client } = await load();
      try {
        // Not through `messages.create`, which writes to the terminal at every call of an older model.
        const response = await client
          .post('/v1/messages', { body: request, stream: true, signal })
          .asResponse();
        const body = http.bodyOf(response);
        if (!body) throw new ApiProblem('cut-off', 'the reply has no body');
        return body as AsyncIterable<Uint8Array>;
      } catch (thrown) {
        if (signal.aborted) throw signal.reason;
        if (thrown instanceof sdk.APIConnectionError) {
          throw new ApiProblem('unreachable', thrown.message, { cause: thrown.cause });
        }
        if (thrown instanceof sdk.APIError) throw toProblem(thrown, apiKey, clock.now());
        throw thrown;
      }
    },
  };
}

/** An `error` event inside a stream that began well. */
export function problemInStream(type: unknown, message: unknown): ApiProblem {
  const kind = kinds.get(String(type)) ?? 'server-error';
  return new ApiProblem(kind, `${String(type)}: ${String(message)}`);
}

const kinds: ReadonlyMap<string, ProblemKind> = new Map([
  ['rate_limit_error', 'rate-limited'],
  ['overloaded_error', 'overloaded'],
  ['api_error', 'server-error'],
  ['timeout_error', 'server-error'],
  ['authentication_error', 'bad-credentials'],
  ['permission_error', 'bad-credentials'],
  ['billing_error', 'no-credit'],
  ['not_found_error', 'unknown-model'],
  ['request_too_large', 'too-long'],
  ['invalid_request_error', 'refused'],
]);

function toProblem(error: APIError, apiKey: string, now: number): ApiProblem {
  const { headers } = error;
  // Whatever stands behind the base address may repeat what it was sent.
  const message = error.apiMessage?.replaceAll(apiKey, '[the API key]') ?? `status ${error.status}`;
  const shouldRetry = headers?.get('x-should-retry');
  return new ApiProblem(kindOf(error), message, {
    status: error.status,
    requestId: error.requestID ?? undefined,
    retryAfterMs: retryAfter(headers, now),
    shouldRetry: shouldRetry === 'true' ? true : shouldRetry === 'false' ? false : undefined,
  });
}

function kindOf({ status, type, apiMessage }: APIError): ProblemKind {
  const message = apiMessage ?? '';
  if (status === 400 && /prompt is too long|exceed context limit/i.test(message)) return 'too-long';
  if (status === 400 && /\bimages?\b/i.test(message)) return 'unreadable-picture';
  if (status === 400 && /credit balance/i.test(message)) return 'no-credit';
  const known = kinds.get(type ?? '');
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
      return status !== undefined && status < 500 && status !== 408 ? 'refused' : 'server-error';
  }
}

/** The header is a number of seconds or a date. */
function retryAfter(headers: Headers | undefined, now: number): number | undefined {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (milliseconds >= 0) return milliseconds;
  const value = headers?.get('retry-after');
  if (value === null || value === undefined || value.trim() === '') return undefined;
  const seconds = Number(value);
  if (seconds >= 0) return seconds * 1_000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** A load that failed is tried again by the next call. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
