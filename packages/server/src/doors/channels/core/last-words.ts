// What the model said last in a turn, also when it called tools since: a plan may stand there alone.
import { messageText, type SessionEvent } from '@parley/protocol';

/** In characters; the beginning of a longer text is let go. */
const mostKept = 20_000;

export class LastWords {
  #whole = '';
  /** What is being said just now. */
  #growing = '';

  get text(): string {
    return this.#growing.trim() || this.#whole.trim();
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.#growing = (this.#growing + event.text).slice(-mostKept);
        return;
      case 'message':
        if (event.role === 'assistant') this.#end(messageText(event.content));
        return;
      case 'tool.started':
        this.#end(this.#growing);
        return;
      default:
    }
  }

  #end(said: string): void {
    if (said.trim() !== '') this.#whole = said.slice(-mostKept);
    this.#growing = '';
  }
}
