// The port for requests to other servers. All of them go through it: its implementation decides which addresses may be
// reached, how large an answer may be and how long it may take.

export interface HttpRequest {
  readonly url: string;
  /** GET by default. Only GET follows redirects. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Sent as they are, instead of a body. */
  readonly bytes?: Uint8Array;
  /** Whether to follow a redirect to this address; if not, the redirect is the response. Follows all if absent. */
  readonly mayFollow?: (url: URL) => boolean;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  /** The final address, after redirects. */
  readonly url: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: Uint8Array;
}

/** Resolves with any status. Rejects with a ParleyError, or with the reason of the signal. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;
