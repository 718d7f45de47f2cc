// One turn as a reader sees it: its own events among those of the session, up to its end.
import { ParleyError, type PersonName, type SessionEvent } from '@parley/protocol';
import type { AdmittedPrompt, Gateway } from '../../../domain/gateway.ts';

/**
 * Ends after `turn.ended`. Throws a ParleyError when the end will not be seen: the prompt was taken back, the
 * session closed, or the signal aborted (with its reason, if that is a ParleyError).
 */
export async function* followTurn(
  gateway: Gateway,
  person: PersonName,
  { session, turnId, after }: AdmittedPrompt,
  signal: AbortSignal,
): AsyncGenerator<SessionEvent, void, undefined> {
  let hasStarted = false;
  for await (const { event, turnId: owner } of gateway.subscribe(person, session.id, { after, signal })) {
    if (owner === turnId) {
      hasStarted = true;
      yield event;
      if (event.type === 'turn.ended') return;
    } else if (event.type === 'queue.changed' && !hasStarted) {
      const isWaiting = event.prompts.some((prompt) => prompt.turnId === turnId);
      if (!isWaiting && (await isWithdrawn(gateway, person, session.id, turnId))) throw takenBack;
    }
  }
  throw signal.reason instanceof ParleyError ? signal.reason : closedEarly;
}

const takenBack = new ParleyError('conflict', 'The message was taken back before it was answered.');
const closedEarly = new ParleyError(
  'unavailable',
  'The session closed before the message was answered. Look at its history, then send it again.',
);

/** Asked only when a queue without the turn was seen, which may be one from before the turn joined it. */
async function isWithdrawn(
  gateway: Gateway,
  person: PersonName,
  sessionId: string,
  turnId: string,
): Promise<boolean> {
  const { running, queue } = await gateway.state(person, sessionId);
  if (running === turnId || queue.some((prompt) => prompt.turnId === turnId)) return false;
  const begun = await gateway.turns(person, sessionId);
  return !begun.some((turn) => turn.id === turnId);
}
