// The port for OpenID Connect: sends a browser to the identity provider, and checks its answer.
import type { OpenIdSubject } from './accounts.ts';

export interface OpenId {
  /** What people call the provider. */
  readonly name: string;
  /** Encrypts a text that the browser carries. Only Parley can read it, and only with the browser's secret. */
  wrap(text: string, secret: string): string;
  /** Undefined if we didn't wrap it, or if it belongs to another browser. */
  unwrap(wrapped: string, secret: string): string | undefined;
  /** The address to send the browser to. Only this browser and Parley know `secret`. Rejects with `unavailable`. */
  begin(step: OpenIdStep): Promise<string>;
  /** Who logged in, according to the answer in the address. Rejects with `unauthenticated` or `unavailable`. */
  finish(step: OpenIdStep, cameBackTo: URL): Promise<OpenIdSubject>;
}

export interface OpenIdStep {
  readonly secret: string;
  /** The provider's answer is refused unless it contains this unchanged. */
  readonly state: string;
  /** Where the provider sends the browser back to. */
  readonly callback: string;
  readonly signal: AbortSignal;
}
