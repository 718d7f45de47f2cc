// Reads the credentials of a request and checks them against the configured API keys.
import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PersonName } from '@parley/protocol';
import type { Scope } from '../../../domain/access.ts';
import { hashSecret } from './secret-hash.ts';

/** Credentials sent with a request. Query strings are never read. */
export interface PresentedCredentials {
  readonly apiKey?: string;
}

export interface Caller {
  /** Names the credential in logs; never the secret itself. */
  readonly label: string;
  /** The only person this credential may act for; absent if it may act for everyone without an account. */
  readonly person?: PersonName;
  /** The person chosen at login, used if a request names none. */
  readonly chosen?: PersonName;
  /** The id of the login, if the credential is one. */
  readonly login?: string;
  /** The id of the API key, if the credential is one that was made at run time. */
  readonly key?: string;
  /** Limits what the credential may do; absent if that is everything the person may do. */
  readonly scope?: Scope;
  /** The request comes from another server, which has checked the person's own credentials. */
  readonly forwarded?: true;
  /** The person's address, if another server reports it. */
  readonly address?: string | undefined;
}

export type CredentialCheck = (
  presented: PresentedCredentials,
) => Caller | undefined | Promise<Caller | undefined>;

/** A request as another server has signed it. */
export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
}

export interface ServerCheck {
  /** Whether the request claims to come from another server. If so, no other credentials count. */
  presents(request: ServerRequest): boolean;
  /** Undefined if it doesn't come from one. */
  callerOf(request: ServerRequest): Caller | undefined;
}

export interface ApiKeyHash extends Pick<Caller, 'label' | 'person'> {
  /** From `hashSecret`. */
  readonly sha256: string;
}

export function apiKeyVerifier(keys: readonly ApiKeyHash[]): CredentialCheck {
  const known = keys.map(({ sha256, ...caller }) => ({ digest: Buffer.from(sha256, 'hex'), caller }));
  return ({ apiKey }) => {
    if (apiKey === undefined) return undefined;
    const digest = Buffer.from(hashSecret(apiKey), 'hex');
    let found: Caller | undefined;
    // Compares all keys, so that timing doesn't reveal which one came close.
    for (const key of known) {
      if (key.digest.length === digest.length && timingSafeEqual(key.digest, digest)) found = key.caller;
    }
    return found;
  };
}

/** Tries the checks in order until one recognizes the credentials. */
export function anyOf(...checks: readonly CredentialCheck[]): CredentialCheck {
  return async (presented) => {
    for (const check of checks) {
      const caller = await check(presented);
      if (caller) return caller;
    }
    return undefined;
  };
}

export function presentedCredentials(headers: IncomingHttpHeaders): PresentedCredentials {
  const apiKey = headerText(headers['x-api-key']) ?? bearerToken(headers.authorization);
  return apiKey === undefined ? {} : { apiKey };
}

function bearerToken(authorization: string | undefined): string | undefined {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];
}

function headerText(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
