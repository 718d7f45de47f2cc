// Requests that wait for a turn. Each has a signal that aborts when its client disconnects, its login ends or the door
// closes; the turn itself continues.
import { ParleyError, type PersonName } from '@parley/protocol';
import type { FastifyReply } from 'fastify';

/** How a response is sent: all at once or as a stream. */
export type Wire = 'json' | 'ndjson' | 'sse' | 'websocket';

/** A response, or the socket of an upgraded request. */
export interface Connection {
  once(event: 'close', listener: () => void): unknown;
}

/** For streaming routes: a HEAD request would hold a slot for nothing. */
export const noHead = { exposeHeadRoute: false } as const;

interface OpenRequest {
  readonly wire: Wire;
  readonly person: PersonName;
  readonly controller: AbortController;
}

export interface OpenLimits {
  readonly all: number;
  /** Per person, so that nobody can take everybody's slots. */
  readonly each: number;
}

/** Calls the listener when the login ends; returns a function that stops listening. */
type OnLoginEnd = (login: string, listener: () => void) => () => void;

export class OpenRequests {
  readonly #open = new Set<OpenRequest>();
  readonly #most: OpenLimits;
  readonly #onLoginEnd: OnLoginEnd;
  #isClosing = false;

  constructor(most: OpenLimits, onLoginEnd: OnLoginEnd) {
    this.#most = most;
    this.#onLoginEnd = onLoginEnd;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Throws `busy` if too many are open; call it before doing anything for the request. */
  open(wire: Wire, reply: FastifyReply, connection: Connection = reply.raw): AbortSignal {
    const { person, caller } = reply.request;
    if (this.#open.size >= this.#most.all) throw tooMany;
    if (this.#countOf(person) >= this.#most.each) throw tooManyOwn;
    const request = { wire, person, controller: new AbortController() };
    this.#open.add(request);
    const login = caller?.login;
    const stopListening =
      login === undefined ? undefined : this.#onLoginEnd(login, () => request.controller.abort(loggedOut));
    connection.once('close', () => {
      stopListening?.();
      this.#open.delete(request);
      request.controller.abort();
    });
    return request.controller.signal;
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

  #countOf(person: PersonName): number {
    let count = 0;
    for (const request of this.#open) if (request.person === person) count += 1;
    return count;
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
