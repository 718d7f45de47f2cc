// LinkedIn's OAuth: the address where a person consents, and the exchange of codes and refresh tokens for access tokens.
import { ParleyError } from '@parley/protocol';
import { z } from 'zod';
import { parseJson } from '../../content/parse-json.ts';
import type { Clock } from '../../domain/clock.ts';
import type { SendHttp } from '../../domain/http.ts';
import { personUrn } from './urns.ts';

export interface OAuthApp {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface OAuthOptions {
  readonly app: OAuthApp;
  /** Such as `https://www.linkedin.com`. */
  readonly authRoot: string;
  /** Such as `https://api.linkedin.com`. */
  readonly apiRoot: string;
  readonly http: SendHttp;
  readonly clock: Clock;
}

/** LinkedIn does not accept the code or the refresh token: the person has to connect again. */
export class GrantRefused extends ParleyError {}

/** A stored login. */
export const LinkedInToken = z.object({
  accessToken: z.string(),
  /** In milliseconds since the epoch. */
  expiresAt: z.number().optional(),
  refreshToken: z.string().optional(),
  refreshExpiresAt: z.number().optional(),
  /** The person on LinkedIn. */
  author: z.string().regex(personUrn).optional(),
});
export type LinkedInToken = z.infer<typeof LinkedInToken>;

const TokenAnswer = z.object({
  access_token: z.string().min(1),
  expires_in: z.number().positive(),
  refresh_token: z.string().min(1).optional(),
  refresh_token_expires_in: z.number().positive().optional(),
});
const UserInfo = z.object({ sub: z.string().regex(/^[\w-]{1,64}$/) });

/** To identify the person, and to post and comment in their name. */
const scope = 'openid profile w_member_social';

export function consentUrl({ app, authRoot }: OAuthOptions, state: string, redirectUri: string): string {
  const url = new URL('/oauth/v2/authorization', authRoot);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    state,
    scope,
  }).toString();
  return url.href;
}

export function redeemCode(
  options: OAuthOptions,
  code: string,
  redirectUri: string,
  signal: AbortSignal,
): Promise<LinkedInToken> {
  return requestToken(options, { grant_type: 'authorization_code', code, redirect_uri: redirectUri }, signal);
}

export async function renewToken(
  options: OAuthOptions,
  token: LinkedInToken,
  signal: AbortSignal,
): Promise<LinkedInToken> {
  const { refreshToken = '' } = token;
  const renewed = await requestToken(
    options,
    { grant_type: 'refresh_token', refresh_token: refreshToken },
    signal,
  );
  // LinkedIn may leave out what doesn't change.
  return { ...token, ...renewed };
}

export async function authorOf(
  { apiRoot, http }: Pick<OAuthOptions, 'apiRoot' | 'http'>,
  accessToken: string,
  signal: AbortSignal,
): Promise<string> {
  const { status, body } = await http({
    url: new URL('/v2/userinfo', apiRoot).href,
    headers: { authorization: `Bearer ${accessToken}` },
    signal,
  });
  const info = UserInfo.safeParse(parseJson(body));
  if (status === 200 && info.success) return `urn:li:person:${info.data.sub}`;
  throw new ParleyError(
    'unavailable',
    `LinkedIn did not say whose login this is (status ${status}). Connect LinkedIn again.`,
  );
}

async function requestToken(
  { app, authRoot, http, clock }: OAuthOptions,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<LinkedInToken> {
  const { status, body } = await http({
    url: new URL('/oauth/v2/accessToken', authRoot).href,
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      ...fields,
      client_id: app.clientId,
      client_secret: app.clientSecret,
    }).toString(),
    signal,
  });
  const answer = TokenAnswer.safeParse(parseJson(body));
  if (status !== 200 || !answer.success) {
    // LinkedIn's message may repeat what it was sent, so it is not shown.
    const sentence = `LinkedIn did not issue a login (status ${status}). Connect LinkedIn again.`;
    throw status === 400
      ? new GrantRefused('unavailable', sentence)
      : new ParleyError('unavailable', sentence);
  }
  const { access_token, expires_in, refresh_token, refresh_token_expires_in } = answer.data;
  const now = clock.now();
  return {
    accessToken: access_token,
    expiresAt: now + expires_in * 1_000,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    ...(refresh_token_expires_in !== undefined && {
      refreshExpiresAt: now + refresh_token_expires_in * 1_000,
    }),
  };
}
