// The port for OpenID Connect: sends a browser to the identity provider, and checks its answer.
import type { OpenIdSubject } from './accounts.ts';

export interface OpenId {
  /** What people call the provider. */
  readonly name: string;
  /** A text that travels with the browser, and that only Parley can read, together with the browser's secret. */
  wrap(text: string, secret: string): string;
  /** Undefined if it isn't one of ours, or another browser's. */
  unwrap(wrapped: string, secret: string): string | undefined;
  /** The address to send the browser to. Only this browser and Parley know `secret`. Rejects with `unavailable`. */
  begin(step: OpenIdStep): Promise<string>;
  /** Who came back, from the address with the provider's answer. Rejects with `unauthenticated` or `unavailable`. */
  finish(step: OpenIdStep, cameBackTo: URL): Promise<OpenIdSubject>;
}

export interface OpenIdStep {
  readonly secret: string;
  /** Comes back unchanged, or the answer is refused. */
  readonly state: string;
  /** Where the provider sends the browser back to. */
  readonly callback: string;
  readonly signal: AbortSignal;
}
