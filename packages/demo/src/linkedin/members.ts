// The members and their valid credentials: access tokens, refresh tokens, codes from the consent page.
import { randomBytes } from 'node:crypto';

export type Member = { readonly id: string; readonly name: string };

export type TokenAnswer = {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly refresh_token?: string;
  readonly refresh_token_expires_in?: number;
};

const sixtyDays = 60 * 24 * 60 * 60;

export class Members {
  readonly #tokens = new Map<string, Member>();
  readonly #refreshTokens = new Map<string, Member>();
  readonly #codes = new Map<string, { readonly member: Member; readonly redirectUri: string }>();
  readonly #givesRefreshTokens: boolean;

  constructor(givesRefreshTokens: boolean) {
    this.#givesRefreshTokens = givesRefreshTokens;
  }

  add(member: Member, accessToken: string): void {
    this.#tokens.set(accessToken, member);
  }

  byToken(authorization: string | undefined): Member | undefined {
    return this.#tokens.get(/^Bearer (.+)$/.exec(authorization ?? '')?.[1] ?? '');
  }

  /** Invalidates all access tokens. */
  revokeAccess(): void {
    this.#tokens.clear();
  }

  revokeRefresh(): void {
    this.#refreshTokens.clear();
  }

  newCode(member: Member, redirectUri: string): string {
    const code = fresh('code');
    this.#codes.set(code, { member, redirectUri });
    return code;
  }

  /** A code works once, and only with the redirect URI that it was made for. */
  redeem(code: string, redirectUri: string): TokenAnswer | undefined {
    const known = this.#codes.get(code);
    this.#codes.delete(code);
    return known?.redirectUri === redirectUri ? this.#answer(known.member) : undefined;
  }

  /** A refresh token works once; the answer contains the next one. */
  refresh(token: string): TokenAnswer | undefined {
    const member = this.#refreshTokens.get(token);
    this.#refreshTokens.delete(token);
    return member === undefined ? undefined : this.#answer(member);
  }

  #answer(member: Member): TokenAnswer {
    const access_token = fresh('access');
    this.#tokens.set(access_token, member);
    const answer = { access_token, expires_in: sixtyDays, scope: 'openid,profile,w_member_social' };
    if (!this.#givesRefreshTokens) return answer;
    const refresh_token = fresh('refresh');
    this.#refreshTokens.set(refresh_token, member);
    return { ...answer, refresh_token, refresh_token_expires_in: 6 * sixtyDays };
  }
}

function fresh(kind: string): string {
  return `${kind}-${randomBytes(16).toString('hex')}`;
}
