// One way to ask the server. An expired login reloads the page: the server then shows its login form, which leads
// back to where one was.
import type { ErrorBody } from '@parley/protocol';

/** A refusal of the server, with a sentence for the person. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
  }
}

/** The address of a path of the server, also below a sub-path. */
export function address(path: string): string {
  return new URL(path.replace(/^\//, ''), document.baseURI).toString();
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return send<T>('GET', path, undefined, signal);
}

export async function send<T>(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<T> {
  const response = await request(path, {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return (response.status === 204 ? undefined : await response.json()) as T;
}

/** The open answer, for those who read it piece by piece. */
export async function request(path: string, init: RequestInit): Promise<Response> {
  const response = await fetch(address(path), { credentials: 'same-origin', ...init }).catch(
    (cause: unknown) => {
      if (init.signal?.aborted) throw cause;
      throw new ApiError(0, 'offline', 'The server cannot be reached. Check that Parley is running.');
    },
  );
  if (response.ok) return response;
  if (response.status === 401) location.reload();
  throw await refusal(response);
}

async function refusal(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => undefined)) as Partial<ErrorBody> | undefined;
  const message = body?.error?.message ?? `The server answered with status ${response.status}.`;
  return new ApiError(response.status, body?.error?.code ?? 'internal', message);
}
