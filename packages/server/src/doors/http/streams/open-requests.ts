// The requests that wait for a turn. Each has a signal that aborts when its client leaves, its login ends or the
// door closes; the turn itself goes on.
import { ParleyError } from '@parley/protocol';
import type { FastifyReply } from 'fastify';

/** How an answer is sent: as a whole, or as it comes. */
export type Wire = 'json' | 'ndjson' | 'sse' | 'websocket';

/** A response, or the socket of an upgraded request. */
export interface Connection {
  once(event: 'close', listener: () => void): unknown;
}

interface OpenRequest {
  readonly wire: Wire;
  readonly controller: AbortController;
}

/** Calls the listener when the login ends; returns the way to stop listening. */
type OnLoginEnd = (login: string, listener: () => void) => () => void;

export class OpenRequests {
  readonly #open = new Set<OpenRequest>();
  readonly #most: number;
  readonly #onLoginEnd: OnLoginEnd;
  #isClosing = false;

  constructor(most: number, onLoginEnd: OnLoginEnd) {
    this.#most = most;
    this.#onLoginEnd = onLoginEnd;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Throws `busy` when too many are open; ask before anything is done for the request. */
  open(wire: Wire, reply: FastifyReply, connection: Connection = reply.raw): AbortSignal {
    if (this.#open.size >= this.#most) throw tooMany;
    const request = { wire, controller: new AbortController() };
    this.#open.add(request);
    const login = reply.request.caller?.login;
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
}

const stopping = new ParleyError(
  'unavailable',
  'The server is stopping. Once it is back, the history shows how far the answer came.',
);
const loggedOut = new ParleyError('unauthenticated', 'You were logged out. Log in again to go on.');
const tooMany = new ParleyError('busy', 'Too many answers are being waited for. Try again in a moment.');
