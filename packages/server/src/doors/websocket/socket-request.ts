// An upgrade request as its handlers get it, after the policy of the HTTP door.
import { ParleyError, type PersonName, SessionId } from '@parley/protocol';
import type { WebSocket } from 'ws';
import type { ByteAccount } from '../../basics/byte-budget.ts';
import type { Actor } from '../../domain/access.ts';

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

/** Rejects with a ParleyError before the handshake, or takes the socket after it. */
export type SocketHandler = (request: SocketRequest) => Promise<(socket: WebSocket) => void>;

/** Text that cannot be the id of a session counts as an unknown one. */
export function sessionOf({ params }: SocketRequest): SessionId {
  const id = SessionId.safeParse(params['id']);
  if (!id.success) throw new ParleyError('not_found', 'There is no such session.');
  return id.data;
}
