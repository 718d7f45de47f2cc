// Says when a turn is over. Usually that is the next `result`; but a prompt that was added while the turn ran may
// only be taken up after it, and then the turn goes on. Prompts are known by the uuid they were sent with.
import type { Frame } from '@parley/claude-cli';

export class TurnTracker {
  readonly #waiting = new Set<string>();
  #hasResult = false;

  /** Sent, but not taken up by the program yet. */
  get waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** The turn is not over before this prompt was taken up. */
  expect(uuid: string): void {
    this.#waiting.add(uuid);
  }

  /** The prompt will never be taken up. */
  forget(uuid: string): void {
    this.#waiting.delete(uuid);
  }

  /** True when the frame was the last of the turn. */
  isOverAfter(frame: Frame): boolean {
    switch (frame.kind) {
      case 'result':
        this.#hasResult = true;
        return this.#waiting.size === 0;
      case 'user':
        if (frame.uuid !== undefined) this.#takenUp(frame.uuid);
        return false;
      case 'unknown':
        return this.#followLifecycle(frame.body);
      default:
        return false;
    }
  }

  /** What the program says became of a prompt, in `command_lifecycle` frames. */
  #followLifecycle(body: Readonly<Record<string, unknown>>): boolean {
    const { type, command_uuid: uuid, state } = body;
    if (type !== 'command_lifecycle' || typeof uuid !== 'string' || state === 'queued') return false;
    if (state === 'started') {
      this.#takenUp(uuid);
      return false;
    }
    return this.#waiting.delete(uuid) && this.#waiting.size === 0 && this.#hasResult;
  }

  #takenUp(uuid: string): void {
    if (this.#waiting.delete(uuid)) this.#hasResult = false;
  }
}
