// Follows turns: picks the events of one turn out of those of its session, up to its end.
import { type Envelope, meaningsOf, ParleyError, type Seq, type SessionId } from '@parley/protocol';
import type { Actor } from '../../../domain/access.ts';
import type { AdmittedPrompt, Gateway, SessionState } from '../../../domain/gateway.ts';

/**
 * Starts with `queue.blocked` if the turn has to wait for other sessions. Ends after `turn.ended`. Throws a ParleyError
 * if that event won't come: the prompt was withdrawn, the session closed, or the signal aborted (with its reason, if
 * that is a ParleyError).
 */
export async function* followTurn(
  gateway: Gateway,
  actor: Actor,
  { session, turnId, after }: Pick<AdmittedPrompt, 'session' | 'turnId' | 'after'>,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  let hasStarted = false;
  for await (const envelope of gateway.subscribe(actor, session.id, { after, signal })) {
    const { event } = envelope;
    if (envelope.turnId === turnId) {
      hasStarted = true;
      yield envelope;
      if (event.type === 'turn.ended') return;
    } else if (event.type === 'queue.blocked' && !hasStarted) {
      yield envelope;
    } else if (event.type === 'queue.changed' && !hasStarted) {
      const isWaiting = event.prompts.some((prompt) => prompt.turnId === turnId);
      if (!isWaiting && (await isWithdrawn(gateway, actor, session.id, turnId))) throw withdrawn;
    }
  }
  throw whyEnded(signal);
}

/** All events of the running turn, or of the next one; none if nothing runs or waits. */
export async function* followRunning(
  gateway: Gateway,
  actor: Actor,
  { session, running, queue, lastSeq }: SessionState,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  const turnId = running ?? queue[0]?.turnId;
  if (turnId === undefined) return;
  const turn = (await gateway.turns(actor, session.id)).find(({ id }) => id === turnId);
  yield* followTurn(gateway, actor, { session, turnId, after: turn?.after ?? lastSeq }, signal);
}

/**
 * The events after a number up to the end of their turn: the rest of the turn that was being read, or the next one.
 * None if nothing is left.
 */
export async function* followRest(
  gateway: Gateway,
  actor: Actor,
  state: SessionState,
  after: Seq,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  const { session, lastSeq } = state;
  const endsAt = isIdle(state) ? lastSeq : Number.POSITIVE_INFINITY;
  if (after === endsAt) return;
  for await (const envelope of gateway.subscribe(actor, session.id, { after, signal })) {
    if (envelope.turnId !== undefined) yield envelope;
    if (envelope.event.type === 'turn.ended' || envelope.seq >= endsAt) return;
  }
  throw whyEnded(signal);
}

/** Every event after a number until the signal aborts. Throws the reason if that happens before the session ends. */
export async function* followSession(
  gateway: Gateway,
  actor: Actor,
  id: SessionId,
  after: Seq,
  signal: AbortSignal,
): AsyncGenerator<Envelope, void, undefined> {
  yield* gateway.subscribe(actor, id, { after, signal });
  if (signal.aborted) throw whyEnded(signal);
}

/** The same events without the frames around them, one for each thing that a frame means. */
export async function* withoutFrames(
  envelopes: AsyncIterable<Envelope>,
): AsyncGenerator<Envelope, void, undefined> {
  for await (const envelope of envelopes) {
    for (const event of meaningsOf(envelope.event)) yield { ...envelope, event };
  }
}

export function isIdle({ running, queue }: SessionState): boolean {
  return running === undefined && queue.length === 0;
}

function whyEnded(signal: AbortSignal): ParleyError {
  return signal.reason instanceof ParleyError ? signal.reason : closedEarly;
}

const withdrawn = new ParleyError('conflict', 'The message was withdrawn before it was answered.');
const closedEarly = new ParleyError(
  'unavailable',
  'The session closed before the message was answered. Check its history, then send the message again.',
);

/** Called only after a queue without the turn was seen, which may date from before the turn joined it. */
async function isWithdrawn(
  gateway: Gateway,
  actor: Actor,
  sessionId: SessionId,
  turnId: string,
): Promise<boolean> {
  const { running, queue } = await gateway.state(actor, sessionId);
  if (running === turnId || queue.some((prompt) => prompt.turnId === turnId)) return false;
  const started = await gateway.turns(actor, sessionId);
  return !started.some((turn) => turn.id === turnId);
}
