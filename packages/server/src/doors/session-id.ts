// Parses the session ids that clients send.
import { ParleyError, SessionId } from '@parley/protocol';

/** Throws `not_found` for text that can't be a session id. */
export function toSessionId(text: string | undefined): SessionId {
  const id = SessionId.safeParse(text);
  if (!id.success) throw new ParleyError('not_found', 'There is no such session.');
  return id.data;
}
