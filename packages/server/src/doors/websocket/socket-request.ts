// An upgrade request as its handlers get it, after the policy of the HTTP door.
import { ParleyError, type PersonName, SessionId } from '@parley/protocol';
import type { WebSocket } from 'ws';

export interface SocketRequest {
  readonly person: PersonName;
  readonly params: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Aborts when the login ends or the door closes. */
  readonly signal: AbortSignal;
}

/** Rejects with a ParleyError before the handshake, or takes the socket after it. */
export type SocketHandler = (request: SocketRequest) => Promise<(socket: WebSocket) => void>;

/** Text that cannot be the id of a session counts as an unknown one. */
export function sessionOf({ params }: SocketRequest): SessionId {
  const id = SessionId.safeParse(params['id']);
  if (!id.success) throw new ParleyError('not_found', 'There is no such session.');
  return id.data;
}
