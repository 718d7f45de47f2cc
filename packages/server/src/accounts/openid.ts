// OpenID Connect: authorization code with PKCE, state and nonce. The library is loaded with the first login.
import { createHmac, randomBytes } from 'node:crypto';
import { ParleyError } from '@parley/protocol';
import type * as client from 'openid-client';
import { seal, unseal } from '../basics/seal.ts';
import type { SendHttp } from '../domain/http.ts';
import type { OpenId, OpenIdStep } from '../domain/openid.ts';

export interface OpenIdOptions {
  readonly name: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Absent for a public client. */
  readonly clientSecret?: string;
  readonly http: SendHttp;
  /** Shared by all servers. Without it, logins under way don't survive a restart. */
  readonly key?: Buffer | undefined;
}

/** The provider's description is fetched again after this long. */
const describedMs = 60 * 60_000;

export function createOpenId(options: OpenIdOptions): OpenId {
  const { key = randomBytes(32) } = options;
  const derived = (purpose: string, secret: string) =>
    createHmac('sha256', key).update(`${purpose} ${secret}`).digest();
  let described: { readonly at: number; readonly configuration: Promise<client.Configuration> } | undefined;

  async function configured(library: typeof client): Promise<client.Configuration> {
    if (!described || performance.now() - described.at > describedMs) {
      const configuration = discover(library);
      described = { at: performance.now(), configuration };
      configuration.catch(() => {
        described = undefined;
      });
    }
    return described.configuration;
  }

  async function discover(library: typeof client): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = options;
    const url = new URL(issuer);
    const authentication =
      clientSecret === undefined ? library.None() : library.ClientSecretBasic(clientSecret);
    // Only a provider on this machine may do without TLS; the configuration allows no other.
    const execute = url.protocol === 'http:' ? [library.allowInsecureRequests] : [];
    return library.discovery(url, clientId, undefined, authentication, {
      [library.customFetch]: sendWith(options.http),
      execute,
    });
  }

  const nonceOf = ({ secret }: OpenIdStep) => derived('nonce', secret).toString('base64url');
  const verifierOf = ({ secret }: OpenIdStep) => derived('verifier', secret).toString('base64url');

  return {
    name: options.name,
    wrap: (text, secret) => seal(derived('wrap', secret), text).toString('base64url'),
    unwrap(wrapped, secret) {
      try {
        return unseal(derived('wrap', secret), Buffer.from(wrapped, 'base64url'));
      } catch {
        return undefined;
      }
    },

    async begin(step) {
      const library = await import('openid-client');
      const configuration = await configured(library).catch(cannotReach);
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: step.callback,
        scope: 'openid',
        state: step.state,
        nonce: nonceOf(step),
        code_challenge: await library.calculatePKCECodeChallenge(verifierOf(step)),
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async finish(step, cameBackTo) {
      const library = await import('openid-client');
      const configuration = await configured(library).catch(cannotReach);
      const tokens = await library
        .authorizationCodeGrant(configuration, cameBackTo, {
          expectedState: step.state,
          expectedNonce: nonceOf(step),
          pkceCodeVerifier: verifierOf(step),
          idTokenExpected: true,
        })
        .catch((cause: unknown) => {
          throw new ParleyError(
            'unauthenticated',
            `${options.name} did not confirm who you are. Try again.`,
            {
              cause,
            },
          );
        });
      const claims = tokens.claims();
      if (!claims) throw new ParleyError('unauthenticated', `${options.name} did not say who you are.`);
      return { issuer: claims.iss, subject: claims.sub };
    },
  };

  function cannotReach(cause: unknown): never {
    throw new ParleyError(
      'unavailable',
      `${options.name} cannot be reached. Try again, or log in another way.`,
      {
        cause,
      },
    );
  }
}

/** Through the guarded fetch: the provider's description names addresses that we did not choose. */
function sendWith(http: SendHttp): client.CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const {
      status,
      headers: received,
      body: bytes,
    } = await http({
      url,
      method: method === 'POST' ? 'POST' : 'GET',
      headers,
      ...(body instanceof URLSearchParams && { body: body.toString() }),
      mayFollow: () => false,
      signal: signal ?? AbortSignal.timeout(longestMs),
    });
    const type = received.get('content-type');
    const text = Buffer.from(bytes).toString('utf8');
    return new Response(text, { status, headers: type === null ? {} : { 'content-type': type } });
  };
}

const longestMs = 15_000;
