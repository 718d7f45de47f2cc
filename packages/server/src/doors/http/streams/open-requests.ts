// The requests that wait for a turn. Each has a signal that aborts when its client leaves or the door closes;
// the turn itself goes on.
import type { ServerResponse } from 'node:http';
import { ParleyError } from '@parley/protocol';

export class OpenRequests {
  readonly #open = new Set<AbortController>();
  #isClosing = false;

  get isClosing(): boolean {
    return this.#isClosing;
  }

  watch(response: ServerResponse): AbortSignal {
    const controller = new AbortController();
    this.#open.add(controller);
    response.once('close', () => {
      this.#open.delete(controller);
      controller.abort();
    });
    return controller.signal;
  }

  close(): void {
    this.#isClosing = true;
    for (const controller of this.#open) controller.abort(stopping);
  }
}

const stopping = new ParleyError(
  'unavailable',
  'The server is stopping. Once it is back, the history shows how far the answer came.',
);
