// The gateway of one of several servers. A call for a session goes to its owner: to this server if it owns the session
// or can claim it, otherwise to the server that owns it. If that server can't be reached, it looks up the owner again
// until somebody answers: once the other server's lease is over, this one can claim the session.
import { type Envelope, ParleyError, type Seq, type SessionId } from '@parley/protocol';
import { backoffMs, pause } from '../basics/backoff.ts';
import { type Actor, isForwarded } from '../domain/access.ts';
import type { NewId } from '../domain/clock.ts';
import type { Gateway, SubscribeOptions } from '../domain/gateway.ts';
import { hasMoved, type OtherServer, OwnedElsewhere } from '../domain/ownership.ts';
import type { Timers } from '../domain/timers.ts';

export interface ClusterGatewayParts {
  readonly local: Gateway;
  /** The gateway of another server. Its calls reject with `moved` if that server can't be reached or isn't the owner. */
  readonly reach: (owner: OtherServer) => Gateway;
  readonly timers: Timers;
  readonly newId: NewId;
  /** Called with the name of each call that goes to another server. */
  readonly onForwarded?: (call: string) => void;
}

/** Longer than a lease and the time it takes to notice that its server is gone. */
const patienceMs = 25_000;
const pauses = { firstMs: 50, longestMs: 1_000 };

export function createClusterGateway(parts: ClusterGatewayParts): Gateway {
  const { local, reach, timers, newId, onForwarded } = parts;

  /** A forwarded call is only tried here. If this is the wrong server, the one that forwarded it looks again. */
  async function onOwner<T>(name: string, actor: Actor, call: (gateway: Gateway) => Promise<T>): Promise<T> {
    if (isForwarded(actor)) return call(local);
    const search = new OwnerSearch(timers);
    for (;;) {
      try {
        return await call(local);
      } catch (error) {
        const owner = ownerIn(error);
        if (owner) {
          onForwarded?.(name);
          const answer = await call(reach(owner)).then((value) => ({ value }), ignoreMoved);
          if (answer) return answer.value;
        }
        await search.pause(undefined);
      }
    }
  }

  async function* subscribe(
    actor: Actor,
    id: SessionId,
    options: SubscribeOptions = {},
  ): AsyncGenerator<Envelope, void, undefined> {
    if (isForwarded(actor)) {
      yield* local.subscribe(actor, id, options);
      return;
    }
    const { after, signal } = options;
    const start = after ?? (await onOwner('state', actor, (gateway) => gateway.state(actor, id))).lastSeq;
    const place: { after: Seq; isKnown: boolean } = { after: start, isKnown: false };
    const search = new OwnerSearch(timers);
    const isOver = () => signal?.aborted === true;
    async function* read(gateway: Gateway) {
      const from = { after: place.after, ...(signal && { signal }) };
      for await (const envelope of gateway.subscribe(actor, id, from)) {
        place.after = envelope.seq;
        place.isKnown = true;
        search.found();
        yield envelope;
      }
    }
    while (!isOver()) {
      let owner: OtherServer | undefined;
      try {
        yield* read(local);
        return;
      } catch (error) {
        // It was deleted while we looked for its new owner.
        if (place.isKnown && isNotFound(error)) return;
        owner = ownerIn(error);
      }
      try {
        if (owner) {
          onForwarded?.('subscribe');
          yield* read(reach(owner));
          place.isKnown = true;
        }
      } catch (error) {
        ignoreMoved(error);
      }
      if (!isOver()) await search.pause(signal);
    }
  }

  return {
    // These only use the database.
    createSession: (actor, session) => local.createSession(actor, session),
    getSession: (actor, id) => local.getSession(actor, id),
    listSessions: (actor, page) => local.listSessions(actor, page),
    turns: (actor, id) => local.turns(actor, id),
    pastTurns: (actor, id, page) => local.pastTurns(actor, id, page),
    search: (actor, query, limit, among) => local.search(actor, query, limit, among),
    branches: (actor, id) => local.branches(actor, id),

    configure: (actor, id, settings) =>
      onOwner('configure', actor, (gateway) => gateway.configure(actor, id, settings)),
    renameSession: (actor, id, title) =>
      onOwner('rename', actor, (gateway) => gateway.renameSession(actor, id, title)),
    deleteSession: (actor, id) => onOwner('delete', actor, (gateway) => gateway.deleteSession(actor, id)),
    state: (actor, id) => onOwner('state', actor, (gateway) => gateway.state(actor, id)),
    // With a key, so that a prompt whose answer got lost is not admitted again.
    prompt: ({ key = newId(), ...request }) =>
      onOwner('prompt', request.person, (gateway) => gateway.prompt({ ...request, key })),
    branch: ({ key = newId(), ...request }) =>
      onOwner('branch', request.person, (gateway) => gateway.branch({ ...request, key })),
    fork: (actor, id, before, key = newId()) =>
      onOwner('fork', actor, (gateway) => gateway.fork(actor, id, before, key)),
    context: (actor, id) => onOwner('context', actor, (gateway) => gateway.context(actor, id)),
    wake: (actor, id) => onOwner('wake', actor, (gateway) => gateway.wake(actor, id)),
    steer: (actor, id, prompt, key = newId()) =>
      onOwner('steer', actor, (gateway) => gateway.steer(actor, id, prompt, key)),
    withdraw: (actor, id, turnId) =>
      onOwner('withdraw', actor, (gateway) => gateway.withdraw(actor, id, turnId)),
    reorder: (actor, id, order) => onOwner('reorder', actor, (gateway) => gateway.reorder(actor, id, order)),
    interrupt: (actor, id) => onOwner('interrupt', actor, (gateway) => gateway.interrupt(actor, id)),
    decide: (actor, id, permission, decision) =>
      onOwner('decide', actor, (gateway) => gateway.decide(actor, id, permission, decision)),
    subscribe,
    async watch(actor, id, signal) {
      const state = await onOwner('state', actor, (gateway) => gateway.state(actor, id));
      return { state, events: subscribe(actor, id, { after: state.lastSeq, signal }) };
    },
  };
}

/** How long to look for the owner of a session, and how often. */
class OwnerSearch {
  readonly #timers: Timers;
  #startedAt: number | undefined;
  #failures = 0;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  found(): void {
    this.#startedAt = undefined;
    this.#failures = 0;
  }

  /** Throws when it has taken too long. */
  async pause(signal: AbortSignal | undefined): Promise<void> {
    const now = this.#timers.now();
    this.#startedAt ??= now;
    if (now - this.#startedAt >= patienceMs) throw noOwner();
    this.#failures += 1;
    await pause(backoffMs(this.#failures, pauses), signal, this.#timers);
  }
}

/** The other server that owns the session; undefined if nobody knows at the moment. Throws every other error. */
function ownerIn(error: unknown): OtherServer | undefined {
  if (!hasMoved(error)) throw error;
  return error instanceof OwnedElsewhere ? error.owner : undefined;
}

function ignoreMoved(error: unknown): undefined {
  if (!hasMoved(error)) throw error;
}

function isNotFound(error: unknown): boolean {
  return error instanceof ParleyError && error.code === 'not_found';
}

function noOwner(): ParleyError {
  return new ParleyError(
    'unavailable',
    'The server that has this session is not answering. Try again in a minute, or check that all servers are running.',
  );
}
