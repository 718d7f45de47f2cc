// Requests that wait for a turn. Each has a signal that aborts when its client disconnects, its credentials end or the
// door closes; the turn itself continues.
import { ParleyError, type PersonName, type Right } from '@parley/protocol';
import type { FastifyReply } from 'fastify';
import type { Caller } from '../policy/credentials.ts';

/** How a response is sent: all at once or as a stream. */
export type Wire = 'json' | 'ndjson' | 'sse' | 'websocket';

/** A response, or the socket of an upgraded request. */
export interface Connection {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
}

/** For streaming routes: a HEAD request would hold a slot for nothing. */
export const noHead = { exposeHeadRoute: false } as const;

interface OpenRequest {
  readonly wire: Wire;
  readonly person: PersonName;
  readonly caller: Caller | undefined;
  /** What the route requires. */
  readonly right: Right | undefined;
  readonly controller: AbortController;
}

export interface OpenLimits {
  readonly all: number;
  /** Per person, so that nobody can take everybody's slots. */
  readonly each: () => number;
}

/** Whether an admitted request would still be admitted. */
export type StillValid = (
  request: Pick<OpenRequest, 'person' | 'right'> & { readonly caller: Caller },
) => boolean;

export class OpenRequests {
  readonly #open = new Set<OpenRequest>();
  readonly #counts = new Map<PersonName, number>();
  readonly #most: OpenLimits;
  readonly #isStillValid: StillValid;
  #isClosing = false;

  constructor(most: OpenLimits, isStillValid: StillValid) {
    this.#most = most;
    this.#isStillValid = isStillValid;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Throws `busy` if too many are open; call it before doing anything for the request. */
  open(wire: Wire, reply: FastifyReply, connection: Connection = reply.raw): AbortSignal {
    const { person, caller, routeOptions } = reply.request;
    if (this.#open.size >= this.#most.all) throw tooMany;
    if ((this.#counts.get(person) ?? 0) >= this.#most.each()) throw tooManyOwn;
    const { right } = routeOptions.config;
    const controller = new AbortController();
    if (connection.destroyed) {
      // The client left while its request was being prepared, so the event below is over.
      controller.abort();
      return controller.signal;
    }
    const request = { wire, person, caller, right, controller };
    this.#open.add(request);
    this.#count(person, 1);
    // Its credentials may have ended just after it was admitted.
    this.#review(request);
    connection.once('close', () => {
      this.#open.delete(request);
      this.#count(person, -1);
      controller.abort();
    });
    return controller.signal;
  }

  /** Ends the requests whose credentials no longer count. Call this whenever some may have ended. */
  review(): void {
    for (const request of this.#open) this.#review(request);
  }

  count(): ReadonlyMap<Wire, number> {
    const counts = new Map<Wire, number>([
      ['json', 0],
      ['ndjson', 0],
      ['sse', 0],
      ['websocket', 0],
    ]);
    for (const { wire } of this.#open) counts.set(wire, (counts.get(wire) ?? 0) + 1);
    return counts;
  }

  close(): void {
    this.#isClosing = true;
    for (const { controller } of this.#open) controller.abort(stopping);
  }

  #review({ caller, person, right, controller }: OpenRequest): void {
    if (caller && !this.#isStillValid({ caller, person, right })) controller.abort(loggedOut);
  }

  #count(person: PersonName, change: 1 | -1): void {
    const count = (this.#counts.get(person) ?? 0) + change;
    if (count === 0) this.#counts.delete(person);
    else this.#counts.set(person, count);
  }
}

const stopping = new ParleyError(
  'unavailable',
  'The server is stopping. When it is back, the history shows how much of the answer arrived.',
);
const loggedOut = new ParleyError('unauthenticated', 'You were logged out. Log in again to continue.');
const tooMany = new ParleyError('busy', 'Too many requests are waiting for answers. Try again in a moment.');
const tooManyOwn = new ParleyError(
  'busy',
  'You have too many pages and requests open at once. Close some, or try again in a moment.',
);
