// The port of a service that searches the web.

export interface SearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

export interface SearchService {
  readonly name: string;
  /** The best results first. Rejects with a ParleyError. */
  search(query: string, options: SearchOptions): Promise<readonly SearchResult[]>;
}

interface SearchOptions {
  readonly count: number;
  readonly signal: AbortSignal;
}
