// The requests that wait for a turn. Each has a signal that aborts when its client leaves or the door closes;
// the turn itself goes on.
import type { ServerResponse } from 'node:http';
import { ParleyError } from '@parley/protocol';

/** How an answer is sent: as a whole, or as it comes. */
export type Wire = 'json' | 'ndjson' | 'sse';

interface OpenRequest {
  readonly wire: Wire;
  readonly response: ServerResponse;
  readonly controller: AbortController;
}

export class OpenRequests {
  readonly #open = new Set<OpenRequest>();
  readonly #most: number;
  #isClosing = false;

  constructor(most: number) {
    this.#most = most;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Throws `busy` when too many are open; ask before anything is done for the request. */
  open(wire: Wire, response: ServerResponse): AbortSignal {
    if (this.#open.size >= this.#most) throw tooMany;
    const request = { wire, response, controller: new AbortController() };
    this.#open.add(request);
    response.once('close', () => {
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
const tooMany = new ParleyError('busy', 'Too many answers are being waited for. Try again in a moment.');
