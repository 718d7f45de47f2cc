// The contract between the HTTP door, which checks a WebSocket request, and the WebSocket door, which takes its socket.
import type { PersonName } from '@parley/protocol';
import type { WebSocket } from 'ws';
import type { ByteAccount } from '../basics/byte-budget.ts';
import type { Actor } from '../domain/access.ts';

export interface SocketRequest {
  readonly person: PersonName;
  /** The person, with the limits of the credentials. */
  readonly actor: Actor;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Aborts when the login ends or the door closes. */
  readonly signal: AbortSignal;
  /** For messages that arrived and wait to be carried out. */
  readonly memory: ByteAccount;
}

/** Rejects with a ParleyError, which becomes the HTTP response, or resolves with a function that takes the socket. */
export type SocketHandler = (request: SocketRequest) => Promise<(socket: WebSocket) => void>;
