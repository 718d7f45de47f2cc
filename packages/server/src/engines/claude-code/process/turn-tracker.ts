// Decides when a turn is over. Usually that is with the next result; but the program may start on a prompt that was added
// while the turn ran only after it, and then the turn continues. Prompts are known by the uuid they were sent with.
import type { ClaudeEvent } from '@parley/claude-cli';

export class TurnTracker {
  readonly #waiting = new Set<string>();
  #hasResult = false;

  /** Sent, but the program hasn't started on them yet. */
  get waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** The turn isn't over until the program has started on this prompt. */
  expect(uuid: string): void {
    this.#waiting.add(uuid);
  }

  /** The program will never start on this prompt. */
  forget(uuid: string): void {
    this.#waiting.delete(uuid);
  }

  /** True if the frame that the driver reported these events for was the last of the turn. */
  isOverAfter(reported: readonly ClaudeEvent[]): boolean {
    return reported.some((event) => event.type === 'metadata' && this.#isOver(event));
  }

  #isOver(event: Extract<ClaudeEvent, { type: 'metadata' }>): boolean {
    switch (event.kind) {
      case 'turn_ended':
        this.#hasResult = true;
        return this.#waiting.size === 0;
      case 'input_state':
        return this.#follow(event.uuid, event.state);
      default:
        return false;
    }
  }

  #follow(uuid: string, state: string): boolean {
    if (state === 'queued' || !this.#waiting.delete(uuid)) return false;
    if (state !== 'started') return this.#waiting.size === 0 && this.#hasResult;
    this.#hasResult = false;
    return false;
  }
}
