// A turn so far, folded from its events: its answer and its cost. Bounded, no matter how much the model writes.
import {
  addUsage,
  type Meaning,
  meaningsOf,
  messageText,
  noUsage,
  type SessionEvent,
  type Usage,
} from '@parley/protocol';
import { keptText, maxKeptText } from '../content/kept-text.ts';

export class TurnProgress {
  /** The text of the last assistant message, or of the one that is being written. */
  text = '';
  usage: Usage = noUsage;
  /** The model that answered last; empty if none was named. */
  model = '';
  usedTools = false;
  #streamed = '';
  /** Characters of the message that is being written, with its thinking. */
  #written = 0;
  #isCut = false;
  /** The last message. More parts of it may follow. */
  #message: { readonly id: string | undefined; readonly text: string } | undefined;

  /** What was said since the last whole message. */
  get brokenOff(): string {
    return this.#streamed;
  }

  /** A message was longer than what is kept of it. */
  get isCut(): boolean {
    return this.#isCut;
  }

  add(event: SessionEvent): void {
    for (const meaning of meaningsOf(event)) this.#add(meaning);
  }

  #add(event: SessionEvent): void {
    switch (event.type) {
      case 'text.delta':
        this.#count(event.text);
        this.#streamed = keptText(this.#streamed, event.text);
        this.text = keptText(this.#message?.text ?? '', this.#streamed);
        return;
      case 'thinking.delta':
        this.#count(event.text);
        return;
      case 'message':
        this.#streamed = '';
        this.#written = 0;
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
    const text = messageText(content);
    this.#isCut ||= before.length + text.length > maxKeptText;
    return { id, text: keptText(before, text) };
  }

  #count(text: string): void {
    this.#written += text.length;
    this.#isCut ||= this.#written > maxKeptText;
  }
}
