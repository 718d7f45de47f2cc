// Admits prompts: checks the limits, reserves a place in the session's queue and stores the turn, which then runs or
// waits. A key that a turn has starts no other turn, and never adds to a running turn twice.
import {
  noUsage,
  ParleyError,
  type PersonName,
  type Prompt,
  type Session,
  type Turn,
} from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import type { ByteLimits } from '../basics/byte-budget.ts';
import { type Actor, personOf } from '../domain/access.ts';
import type { Clock, NewId } from '../domain/clock.ts';
import type { AdmittedPrompt, PromptRequest } from '../domain/gateway.ts';
import type { Logger } from '../domain/logger.ts';
import type { Admission, Store } from '../domain/store.ts';
import type { LiveSession } from './live-session.ts';
import type { Lease, LiveSessions } from './live-sessions.ts';
import type { Place } from './turn-queue.ts';

export interface AdmissionLimits {
  /** Prompts that may wait in one session. */
  readonly queue: number;
  /** Bytes of prompts that may wait or run, for each person and for all together. No limit if absent. */
  readonly promptBytes?: ByteLimits;
  /** Bytes that the store keeps for one person, about. No limit if absent. */
  readonly storageBytes?: number;
}

export interface AdmissionParts {
  readonly store: Pick<Store, 'findAdmission' | 'storedBytes'>;
  readonly sessions: LiveSessions;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
  readonly limits: AdmissionLimits;
}

/** How many keys of prompts that were added to running turns are remembered, so that a retry adds nothing twice. */
const maxSteeredKeys = 1_000;

export class PromptAdmission {
  readonly #parts: AdmissionParts;
  readonly #steered = new BoundedMap<string, Promise<boolean>>(maxSteeredKeys);

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
  }

  /** `session` is a new one unless the request names it. */
  async admit(request: PromptRequest, session: Session): Promise<AdmittedPrompt> {
    const storageRefusal = await this.#storageRefusal(session.person);
    const lease = await this.#parts.sessions.acquire(session);
    const refusal = this.#fitsInMemory(session.person, request.prompt) ? storageRefusal : tooMuchWaits;
    const { session: stored, turn, fresh } = await this.#store(request, session, lease, refusal);
    return { session: stored, turnId: turn.id, fresh, prompt: turn.prompt, after: turn.after };
  }

  /** What was admitted before with this key. */
  async find(session: Session, actor: Actor, key: string | undefined): Promise<Admission | undefined> {
    if (key === undefined) return undefined;
    return this.#parts.store.findAdmission(session.person, keyOf(session, actor, key));
  }

  /** Adds to the running turn, once per key; tries again if that was not possible before. */
  steer(live: LiveSession, actor: Actor, prompt: Prompt, key: string | undefined): Promise<boolean> {
    if (key === undefined) return live.steer(prompt);
    const id = `${live.session.id} ${keyOf(live.session, actor, key)}`;
    const earlier = this.#steered.get(id);
    if (earlier) return earlier;
    const isNew = async () => (await this.find(live.session, actor, key)) === undefined;
    const result = isNew().then((yes) => yes && live.steer(prompt));
    this.#steered.set(id, result);
    const forget = (): void => void this.#steered.delete(id);
    result.then((isTaken) => isTaken || forget(), forget);
    return result;
  }

  /** Takes over the lease. */
  async #store(
    request: PromptRequest,
    session: Session,
    lease: Lease,
    refusal: ParleyError | undefined,
  ): Promise<Admission> {
    const { limits, logger } = this.#parts;
    const { live } = lease;
    const place = refusal ? undefined : live.reservePlace();
    if (!place) {
      lease.release();
      // A prompt that was admitted before needs no place.
      const earlier = await this.find(session, request.person, request.key);
      if (earlier) return earlier;
      throw refusal ?? queueIsFull(limits.queue);
    }
    const turn = newTurn(request, { session, place, after: live.log.lastSeq }, this.#parts);
    let admission: Admission | undefined;
    try {
      admission = await live.admit(turn, { newSession: typeof request.session !== 'string' });
      return admission;
    } finally {
      hold(lease, admission?.fresh ? live.enqueue(admission.turn, place) : live.release(place), logger);
    }
  }

  async #storageRefusal(person: PersonName): Promise<ParleyError | undefined> {
    const { store, limits } = this.#parts;
    const { storageBytes = Number.POSITIVE_INFINITY } = limits;
    return (await store.storedBytes(person)) < storageBytes ? undefined : storageIsFull(storageBytes);
  }

  #fitsInMemory(person: PersonName, prompt: Prompt): boolean {
    const { sessions, limits } = this.#parts;
    const most = limits.promptBytes;
    if (!most) return true;
    let own = bytesOf([prompt]);
    let all = own;
    for (const { session, prompts } of sessions.loaded()) {
      const bytes = bytesOf(prompts);
      all += bytes;
      if (session.person === person) own += bytes;
    }
    return own <= most.each && all <= most.all;
  }
}

/** About how much memory they take. */
function bytesOf(prompts: readonly Prompt[]): number {
  return prompts.flat().reduce((sum, part) => sum + (part.type === 'text' ? part.text : part.data).length, 0);
}

/** Holds the lease until the queue is empty again: a session with work stays loaded. */
function hold(lease: Lease, queueIsEmpty: Promise<void>, logger: Logger): void {
  queueIsEmpty
    .catch((error: unknown) => logger.error({ err: error }, 'a turn ended unexpectedly'))
    .finally(() => lease.release());
}

/** The store keeps the keys of a session under its owner. The keys of other people must not collide with the owner's. */
function keyOf(session: Session, actor: Actor, key: string): string {
  const person = personOf(actor);
  return person === session.person ? key : `${person}\n${key}`;
}

/** A turn that starts at once is stored as running, which saves a second write. */
function newTurn(
  { person, key, door, canAsk, prompt }: PromptRequest,
  { session, place, after }: { session: Session; place: Place; after: number },
  { clock, newId }: AdmissionParts,
): Turn {
  const id = newId();
  const now = clock.now();
  const isNext = place === 'front';
  return {
    id,
    sessionId: session.id,
    key: key === undefined ? id : keyOf(session, person, key),
    door,
    ...(canAsk === false && { canAsk }),
    prompt,
    ...(personOf(person) !== session.person && { author: personOf(person) }),
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

const tooMuchWaits = new ParleyError(
  'busy',
  'Your other messages have to be answered first, because together they are too large. Try again in a moment.',
);

function storageIsFull(most: number): ParleyError {
  const size = `${(most / 1024 ** 3).toLocaleString('en', { maximumSignificantDigits: 3 })} GB`;
  return new ParleyError(
    'storage_full',
    `Your conversations take up all of the ${size} that each person has on this server. Delete some that you no longer need, or ask an owner to raise limits.storageBytes.`,
  );
}
