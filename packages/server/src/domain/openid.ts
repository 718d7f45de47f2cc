// The port for OpenID Connect: the way to the identity provider and back.
import type { OpenIdSubject } from './accounts.ts';

export interface OpenId {
  /** What people call the provider. */
  readonly name: string;
  /** Where the browser goes. `secret` is known to this browser and us alone. Rejects with `unavailable`. */
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
