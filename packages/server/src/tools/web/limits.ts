// The bounds of the web tools, each with its default.
export interface WebLimits {
  /** For the whole of a fetch, with every redirect and the body. Making it readable has a bound of its own. */
  readonly totalMs: number;
  readonly connectMs: number;
  /** Of a body, after decompression. */
  readonly bodyBytes: number;
  readonly redirects: number;
  /** Characters of one page of a result. */
  readonly pageChars: number;
  readonly searchResults: number;
}

export const webLimits: WebLimits = {
  totalMs: 15_000,
  connectMs: 10_000,
  bodyBytes: 5 * 1024 * 1024,
  redirects: 5,
  pageChars: 40_000,
  searchResults: 10,
};
