// The port for requests to other servers. Nothing in Parley sends one past it: what stands behind it decides
// which addresses may be reached, how much may come back and how long it may take.

export interface HttpRequest {
  readonly url: string;
  /** GET, unless said otherwise. Only GET follows redirects. */
  readonly method?: 'GET' | 'POST' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface HttpResponse {
  /** Where the answer came from in the end. */
  readonly url: string;
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  readonly body: Uint8Array;
}

/** Resolves whatever the status is. Rejects with a ParleyError, or with the reason of the signal. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResponse>;
