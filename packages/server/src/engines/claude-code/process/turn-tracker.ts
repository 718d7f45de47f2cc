// Decides when a turn is over. Usually the next result ends it. But if a prompt was added while the turn ran, the
// program may start on it only after that result, and the turn continues. Each prompt is known by its uuid.
import type { ClaudeEvent } from '@parley/claude-cli';

export class TurnTracker {
  readonly #waiting = new Set<string>();
  #hasResult = false;

  /** Prompts that were sent, but that the program hasn't started on yet. */
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
