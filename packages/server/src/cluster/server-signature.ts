// How servers recognize each other: a header with the person that a request is for, signed with the cluster's secret. It
// is valid once, for one method and path, and only for a short time.
import { createHmac, randomUUID, timingSafeEqual } from 'node:crypto';
import { PersonName } from '@parley/protocol';
import { z } from 'zod';
import { parseJson } from '../content/parse-json.ts';
import type { ScopedActor } from '../domain/access.ts';
import type { Clock } from '../domain/clock.ts';

export const serverHeader = 'x-parley-server';

/** Allows for slow requests and for clocks that differ. */
const validMs = 60_000;
/** How many requests are remembered, so that none is accepted twice. Beyond that, all are refused until some expire. */
const maxNonces = 200_000;

const Pass = z.object({
  person: PersonName,
  scope: z.object({ assistants: z.array(z.string()).optional(), readOnly: z.boolean() }),
  /** The person's network address, for the audit log. */
  address: z.string().max(64).optional(),
  at: z.number(),
  nonce: z.string().min(1).max(100),
});
type Pass = z.infer<typeof Pass>;

export interface SignedRequest {
  readonly method: string;
  /** With its query, as the other server sees it. */
  readonly path: string;
}

/** Whom a request is for, and where it came from before it was passed on. */
export interface SignedFor extends ScopedActor {
  readonly address?: string | undefined;
}

interface ArrivedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export class ServerSignature {
  readonly #key: string;
  readonly #clock: Clock;
  /** When each expires, oldest first. */
  readonly #nonces = new Map<string, number>();

  constructor(secret: string, clock: Clock) {
    this.#key = secret;
    this.#clock = clock;
  }

  sign(
    { person, scope, address }: Pick<SignedFor, 'person' | 'scope' | 'address'>,
    request: SignedRequest,
  ): string {
    const pass: Pass = {
      person,
      scope: { readOnly: scope.readOnly, ...(scope.assistants && { assistants: [...scope.assistants] }) },
      ...(address !== undefined && { address }),
      at: this.#clock.now(),
      nonce: randomUUID(),
    };
    const text = Buffer.from(JSON.stringify(pass)).toString('base64url');
    return `${text}.${this.#mac(text, request).toString('base64url')}`;
  }

  /** Who the request is for; undefined if the header is forged, expired, for another request, or was used before. */
  check(header: string, request: SignedRequest): SignedFor | undefined {
    const [text = '', mac = ''] = header.split('.');
    const given = Buffer.from(mac, 'base64url');
    const wanted = this.#mac(text, request);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
    const pass = Pass.safeParse(parseJson(Buffer.from(text, 'base64url'))).data;
    if (!pass || !this.#isNew(pass)) return undefined;
    const { assistants, readOnly } = pass.scope;
    return {
      person: pass.person,
      scope: { readOnly, ...(assistants && { assistants }) },
      forwarded: true,
      ...(pass.address !== undefined && { address: pass.address }),
    };
  }

  /** Whether a request claims to come from another server. */
  presents({ headers }: ArrivedRequest): boolean {
    return headers[serverHeader] !== undefined;
  }

  /** The caller of a request that another server has signed. */
  callerOf({ method, url, headers }: ArrivedRequest): (SignedFor & { readonly label: string }) | undefined {
    const header = headers[serverHeader];
    const actor = typeof header === 'string' ? this.check(header, { method, path: url }) : undefined;
    return actor && { label: 'server', ...actor };
  }

  #isNew({ at, nonce }: Pass): boolean {
    const now = this.#clock.now();
    for (const [old, expires] of this.#nonces) {
      if (expires > now) break;
      this.#nonces.delete(old);
    }
    const isFresh = Math.abs(now - at) <= validMs;
    if (!isFresh || this.#nonces.has(nonce) || this.#nonces.size >= maxNonces) return false;
    // A clock that is ahead makes it valid for longer.
    this.#nonces.set(nonce, now + 2 * validMs);
    return true;
  }

  #mac(text: string, { method, path }: SignedRequest): Buffer {
    return createHmac('sha256', this.#key).update(`${method} ${path}\n${text}`).digest();
  }
}
