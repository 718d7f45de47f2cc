// What a turn has come to so far, folded from its events: its answer, and what it cost.
import { addUsage, messageText, noUsage, type SessionEvent, type Usage } from '@parley/protocol';

export class TurnProgress {
  /** The text of the last assistant message, or of the one that is being written. */
  text = '';
  usage: Usage = noUsage;
  /** The model that answered last; empty where none was named. */
  model = '';
  #streamed = '';

  /** What was said since the last whole message. */
  get brokenOff(): string {
    return this.#streamed;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.#streamed += event.text;
        this.text = this.#streamed;
        return;
      case 'message':
        if (event.role === 'assistant') this.text = messageText(event.content) || this.text;
        this.#streamed = '';
        return;
      case 'usage':
        this.usage = addUsage(this.usage, event.usage);
        this.model = event.model;
        return;
      default:
    }
  }
}
