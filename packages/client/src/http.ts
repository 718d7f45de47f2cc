// HTTP requests to one Parley server.
import type { ErrorBody } from '@parley/protocol';

/** The server refused a request, or could not be reached. The message is a sentence for the person. */
export class ApiError extends Error {
  /** The HTTP status; 0 when there was no answer. */
  readonly status: number;
  /** One of the protocol's error codes, or `offline` when there was no answer. */
  readonly code: string;
  /** The JSON of the answer, which may say more than code and message. */
  readonly body: unknown;
  /** How long to wait before trying again, if the server said so. */
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, code: string, message: string, { body, retryAfterSeconds }: ErrorDetails = {}) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface ErrorDetails {
  readonly body?: unknown;
  readonly retryAfterSeconds?: number | undefined;
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface RequestOptions {
  readonly method?: HttpMethod;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as they are, instead of a body. */
  readonly bytes?: Blob | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

export interface HttpOptions {
  /** The address of the server, including the sub-path if a proxy serves it under one. */
  readonly baseUrl: string | URL;
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly apiKey?: string | undefined;
  /** The person that requests are for. If undefined, the person of the login or the API key. */
  readonly person?: (() => string | undefined) | undefined;
  /** The login is over, or the API key is wrong. */
  readonly onUnauthorized?: (() => void) | undefined;
}

export interface Http {
  /** The full address of a path of the server. */
  readonly address: (path: string) => string;
  /** Also names the person, for requests that can't have headers: a WebSocket, or a picture on a page. */
  readonly personalAddress: (path: string) => string;
  /** The headers that every request carries. */
  readonly headers: Readonly<Record<string, string>>;
  /** The response, with its body unread. Rejects with ApiError unless the status is 2xx. */
  readonly request: (path: string, options?: RequestOptions) => Promise<Response>;
  readonly get: <T>(path: string, signal?: AbortSignal) => Promise<T>;
  /** Resolves to the response's JSON, or undefined when it has none. */
  readonly send: <T>(method: HttpMethod, path: string, body?: unknown, signal?: AbortSignal) => Promise<T>;
}

export function createHttp(options: HttpOptions): Http {
  const { baseUrl, fetch, headers = {}, apiKey, person = () => undefined, onUnauthorized } = options;
  const root = new URL(baseUrl);
  if (!root.pathname.endsWith('/')) root.pathname += '/';
  const ownHeaders = { ...headers, ...(apiKey !== undefined && { 'x-api-key': apiKey }) };

  function address(path: string): string {
    return new URL(path.replace(/^\/+/, ''), root).toString();
  }

  function personalAddress(path: string): string {
    const url = new URL(address(path));
    const name = person();
    if (name !== undefined) url.searchParams.set('person', name);
    return url.toString();
  }

  async function request(path: string, given: RequestOptions = {}): Promise<Response> {
    const { method = 'GET', body, bytes, signal } = given;
    const name = person();
    const response = await (fetch ?? globalThis.fetch)(address(path), {
      method,
      credentials: 'same-origin',
      headers: {
        ...ownHeaders,
        ...(name !== undefined && { 'x-notes-person': name }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(bytes && { 'content-type': 'application/octet-stream' }),
        ...given.headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(bytes && { body: bytes }),
      ...(signal && { signal }),
    }).catch((cause: unknown) => {
      if (signal?.aborted) throw cause;
      throw new ApiError(0, 'offline', 'The server cannot be reached. Check that Parley is running.');
    });
    if (response.ok) return response;
    if (response.status === 401) onUnauthorized?.();
    throw await refusal(response);
  }

  async function send<T>(method: HttpMethod, path: string, body?: unknown, signal?: AbortSignal): Promise<T> {
    const response = await request(path, { method, body, signal });
    return (response.status === 204 ? undefined : await response.json()) as T;
  }

  return {
    address,
    personalAddress,
    headers: ownHeaders,
    request,
    send,
    get: (path, signal) => send('GET', path, undefined, signal),
  };
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  const message = body?.error?.message ?? `The server answered with status ${response.status}.`;
  // A proxy may send a date instead.
  const retryAfterSeconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10) || undefined;
  return new ApiError(response.status, body?.error?.code ?? 'internal', message, { body, retryAfterSeconds });
}
