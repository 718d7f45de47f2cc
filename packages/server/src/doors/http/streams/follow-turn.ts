// Turns as a reader sees them: the events of one turn among those of its session, up to its end.
import { type Envelope, ParleyError, type PersonName, type Seq, type SessionId } from '@parley/protocol';
import type { AdmittedPrompt, Gateway, SessionState } from '../../../domain/gateway.ts';

/**
 * Ends after `turn.ended`. Throws a ParleyError when the end will not be seen: the prompt was taken back, the
 * session closed, or the signal aborted (with its reason, if that is a ParleyError).
 */
export async function* followTurn(
  gateway: Gateway,
  person: PersonName,
  { session, turnId, after }: Pick<AdmittedPrompt, 'session' | 'turnId' | 'after'>,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  let hasStarted = false;
  for await (const envelope of gateway.subscribe(person, session.id, { after, signal })) {
    const { event } = envelope;
    if (envelope.turnId === turnId) {
      hasStarted = true;
      yield envelope;
      if (event.type === 'turn.ended') return;
    } else if (event.type === 'queue.changed' && !hasStarted) {
      const isWaiting = event.prompts.some((prompt) => prompt.turnId === turnId);
      if (!isWaiting && (await isWithdrawn(gateway, person, session.id, turnId))) throw takenBack;
    }
  }
  throw endOf(signal);
}

/** All of the turn that runs or is the next to run; nothing when there is none. */
export async function* followRunning(
  gateway: Gateway,
  person: PersonName,
  { session, running, queue, lastSeq }: SessionState,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  const turnId = running ?? queue[0]?.turnId;
  if (turnId === undefined) return;
  const turn = (await gateway.turns(person, session.id)).find(({ id }) => id === turnId);
  yield* followTurn(gateway, person, { session, turnId, after: turn?.after ?? lastSeq }, signal);
}

/**
 * The events after a number, up to the end of the turn that they are of: the rest of the one that was being read,
 * or the next one. Nothing when the session has no more to tell.
 */
export async function* followRest(
  gateway: Gateway,
  person: PersonName,
  state: SessionState,
  after: Seq,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  const { session, lastSeq } = state;
  const endsAt = isIdle(state) ? lastSeq : Number.POSITIVE_INFINITY;
  if (after === endsAt) return;
  for await (const envelope of gateway.subscribe(person, session.id, { after, signal })) {
    if (envelope.turnId !== undefined) yield envelope;
    if (envelope.event.type === 'turn.ended' || envelope.seq >= endsAt) return;
  }
  throw endOf(signal);
}

/** Every event after a number for as long as somebody listens. Throws why when that ends before the session does. */
export async function* followSession(
  gateway: Gateway,
  person: PersonName,
  id: SessionId,
  after: Seq,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  yield* gateway.subscribe(person, id, { after, signal });
  if (signal.aborted) throw endOf(signal);
}

export function isIdle({ running, queue }: SessionState): boolean {
  return running === undefined && queue.length === 0;
}

function endOf(signal: AbortSignal): ParleyError {
  return signal.reason instanceof ParleyError ? signal.reason : closedEarly;
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
  sessionId: SessionId,
  turnId: string,
): Promise<boolean> {
  const { running, queue } = await gateway.state(person, sessionId);
  if (running === turnId || queue.some((prompt) => prompt.turnId === turnId)) return false;
  const begun = await gateway.turns(person, sessionId);
  return !begun.some((turn) => turn.id === turnId);
}
