// Admits a prompt to its session: reserves a place, stores the turn, then runs it or lets it wait.
import { noUsage, ParleyError, type Session, type Turn } from '@parley/protocol';
import type { Clock, NewId } from '../domain/clock.ts';
import type { PromptRequest } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Admission, Store } from '../domain/store.ts';
import type { Lease } from './live-sessions.ts';
import type { Place } from './turn-queue.ts';

export interface AdmissionParts {
  readonly store: Pick<Store, 'admit' | 'findAdmission'>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly limits: { readonly queue: number };
}

/** Takes over the lease. `session` is a new one unless the request names it. */
export async function admitPrompt(
  request: PromptRequest,
  session: Session,
  lease: Lease,
  parts: AdmissionParts,
  /** Why no new prompt is admitted. */
  refusal: ParleyError | undefined,
): Promise<Admission> {
  const { store, limits, logger } = parts;
  const { live } = lease;
  const place = refusal ? undefined : live.reservePlace();
  if (!place) {
    lease.release();
    // A prompt that was admitted before needs no place.
    const earlier =
      request.key === undefined ? undefined : await store.findAdmission(session.person, request.key);
    if (earlier) return earlier;
    throw refusal ?? queueIsFull(limits.queue);
  }
  const turn = newTurn(request, { session, place, after: live.log.lastSeq }, parts);
  let admission: Admission | undefined;
  try {
    admission = await store.admit(turn, session, { newSession: typeof request.session !== 'string' });
    return admission;
  } finally {
    hold(lease, admission?.fresh ? live.enqueue(admission.turn, place) : live.release(place), logger);
  }
}

/** Holds the lease until the queue is empty again: a session with work stays loaded. */
export function hold(lease: Lease, queueIsEmpty: Promise<void>, logger: Logger): void {
  queueIsEmpty
    .catch((error: unknown) => logger.error({ err: error }, 'a turn ended unexpectedly'))
    .finally(() => lease.release());
}

/** A turn that starts at once is stored as running, which saves a second write. */
function newTurn(
  { key, door, canAsk, prompt }: PromptRequest,
  { session, place, after }: { session: Session; place: Place; after: number },
  { clock, newId }: AdmissionParts,
): Turn {
  const id = newId();
  const now = clock.now();
  const isNext = place === 'front';
  return {
    id,
    sessionId: session.id,
    key: key ?? id,
    door,
    ...(canAsk === false && { canAsk }),
    prompt,
    status: isNext ? 'running' : 'queued',
    after,
    text: '',
    usage: noUsage,
    queuedAt: now,
    ...(isNext && { startedAt: now }),
  };
}

function queueIsFull(most: number): ParleyError {
  return new ParleyError(
    'busy',
    `This session already has ${most} prompts waiting. Wait for some to be answered.`,
  );
}
