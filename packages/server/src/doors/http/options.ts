// What the composition root hands to the HTTP door.
import type { PersonName } from '@parley/protocol';
import type { Registry } from 'prom-client';
import type { Gateway, NewSession } from '../../domain/gateway.ts';
import type { Logger } from '../../domain/logger.ts';
import type { CredentialCheck } from './policy/credentials.ts';

export interface HttpDoorOptions {
  readonly gateway: Gateway;
  readonly people: readonly PersonName[];
  readonly credentials: CredentialCheck;
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** Host names to answer to, beside loopback and the bound address; without ports. */
  readonly allowedHosts: readonly string[];
  /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[];
  readonly limits: HttpLimits;
  readonly metrics: Registry;
  readonly logger: Logger;
  readonly version: string;
  readonly demo: boolean;
  /** What a new session of the notes endpoints shall be. */
  readonly notes: NewSession;
  /** What a new conversation of the chat endpoints shall be. */
  readonly chat: NewSession;
  /** How often an open stream says that it is alive. */
  readonly pingMs?: number;
}

export interface HttpLimits {
  /** Counted while the body arrives, before anything is parsed. */
  readonly bodyBytes: number;
  /** Characters of one message. */
  readonly messageLength: number;
  readonly requestsPerMinute: {
    /** Per client address; IPv6 counts by /64. */
    readonly perAddress: number;
    readonly overall: number;
  };
  /** Requests that may wait for a turn at once, as a stream or for the whole answer. */
  readonly openStreams: number;
  /** A client that reads nothing for so long is cut off. */
  readonly stalledMs: number;
}
