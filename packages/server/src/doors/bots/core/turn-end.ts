// Finds out how a turn ended: from its events while it runs, or from the store when it ended earlier or its events are
// no longer available.
import {
  type Envelope,
  meaningsOf,
  ParleyError,
  type SessionEvent,
  type TurnOutcome,
} from '@parley/protocol';
import type { Gateway } from '../../../domain/gateway.ts';
import type { OwedTurn } from '../../../domain/outbox.ts';

export interface FinishedTurn {
  /** `withdrawn`: its prompt was withdrawn before it started, or its session was deleted. */
  readonly outcome: TurnOutcome | 'withdrawn';
  readonly text: string;
  readonly error?: { readonly code: string; readonly message: string };
}

export interface TurnEndOptions {
  readonly signal: AbortSignal;
  /** The turn may have ended already. */
  readonly isResumed: boolean;
  readonly onEvent: (event: SessionEvent) => void;
}

type TurnSource = Pick<Gateway, 'subscribe' | 'state' | 'turns'>;

/** Rejects when the signal aborts. */
export async function awaitTurnEnd(
  gateway: TurnSource,
  turn: OwedTurn,
  options: TurnEndOptions,
): Promise<FinishedTurn> {
  const { signal } = options;
  let after: number | undefined = options.isResumed ? undefined : turn.after;
  for (;;) {
    signal.throwIfAborted();
    const from = after === undefined ? await lookUp(gateway, turn, options) : { after };
    if ('outcome' in from) return from;
    const end = await watch(gateway, turn, from.after, options);
    if (end) return end;
    after = undefined;
  }
}

/** Undefined when the events did not include the end: it must be looked up. */
async function watch(
  gateway: TurnSource,
  { person, sessionId, turnId }: OwedTurn,
  after: number,
  { signal, onEvent }: TurnEndOptions,
): Promise<FinishedTurn | undefined> {
  let hasStarted = false;
  try {
    for await (const envelope of gateway.subscribe(person, sessionId, { after, signal })) {
      if (envelope.turnId === turnId) {
        hasStarted = true;
        for (const event of meaningsOf(envelope.event)) onEvent(event);
        const end = endIn(envelope);
        if (end) return end;
      } else if (hasStarted) continue;
      else if (envelope.event.type === 'queue.blocked') onEvent(envelope.event);
      else if (hasLeftQueue(envelope, turnId)) return undefined;
    }
  } catch (error) {
    if (signal.aborted || !isExpected(error)) throw error;
  }
  return undefined;
}

/** The stored end of the turn, or the event number to watch it from. */
async function lookUp(
  gateway: TurnSource,
  { person, sessionId, turnId }: OwedTurn,
  { onEvent }: TurnEndOptions,
): Promise<FinishedTurn | { readonly after: number }> {
  try {
    // Read the state first: a subscription from its number shows everything that happens later.
    const { running, queue, ahead, permissions, lastSeq } = await gateway.state(person, sessionId);
    const stored = (await gateway.turns(person, sessionId)).find(({ id }) => id === turnId);
    if (stored && stored.status !== 'running' && stored.status !== 'queued') {
      const { status, text, error } = stored;
      return { outcome: status, text, ...(error && { error }) };
    }
    if (!stored && running !== turnId && !queue.some((prompt) => prompt.turnId === turnId)) return withdrawn;
    if (ahead !== undefined) onEvent({ type: 'queue.blocked', ahead });
    for (const { id, request, turnId: of } of permissions) {
      if (of === turnId) onEvent({ type: 'permission.asked', id, request });
    }
    return { after: lastSeq };
  } catch (error) {
    if (error instanceof ParleyError && error.code === 'not_found') return withdrawn;
    throw error;
  }
}

function endIn({ event }: Envelope): FinishedTurn | undefined {
  if (event.type !== 'turn.ended') return undefined;
  const { outcome, text, error } = event;
  return { outcome, text, ...(error && { error }) };
}

function hasLeftQueue({ event }: Envelope, turnId: string): boolean {
  return event.type === 'queue.changed' && !event.prompts.some((prompt) => prompt.turnId === turnId);
}

function isExpected(error: unknown): boolean {
  return error instanceof ParleyError && (error.code === 'lagged' || error.code === 'not_found');
}

const withdrawn: FinishedTurn = { outcome: 'withdrawn', text: '' };
