// What a turn has come to so far, folded from its events: its answer, and what it cost.
import {
  addUsage,
  type Meaning,
  meaningsOf,
  messageText,
  noUsage,
  type SessionEvent,
  type Usage,
} from '@parley/protocol';

export class TurnProgress {
  /** The text of the last assistant message, or of the one that is being written. */
  text = '';
  usage: Usage = noUsage;
  /** The model that answered last; empty if none was named. */
  model = '';
  usedTools = false;
  #streamed = '';
  /** The message that came last, which may still get more parts. */
  #message: { readonly id: string | undefined; readonly text: string } | undefined;

  /** What was said since the last whole message. */
  get brokenOff(): string {
    return this.#streamed;
  }

  add(event: SessionEvent): void {
    for (const meaning of meaningsOf(event)) this.#add(meaning);
  }

  #add(event: SessionEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.#streamed += event.text;
        this.text = (this.#message?.text ?? '') + this.#streamed;
        return;
      case 'message':
        this.#streamed = '';
        this.#message = event.role === 'assistant' ? this.#joined(event) : undefined;
        this.text = this.#message?.text || this.text;
        return;
      case 'tool.started':
        this.usedTools = true;
        return;
      case 'usage':
        this.usage = addUsage(this.usage, event.usage);
        this.model = event.model;
        return;
      default:
    }
  }

  #joined({ id, content }: Extract<Meaning, { type: 'message' }>) {
    const before = id !== undefined && this.#message?.id === id ? this.#message.text : '';
    return { id, text: before + messageText(content) };
  }
}
