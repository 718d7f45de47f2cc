// The newest messages of one session as its pages get them: encoded once, numbered one by one, bounded. Pages hold
// only a number and pull what comes after it.
import type { CodeServerMessage } from '@parley/protocol';

/** What one number stands for: the message itself, after uncounted ones that belong to it. */
export interface LoggedMessage {
  readonly number: number;
  readonly parts: readonly Buffer[];
  /** A line of the program, verbatim; everything else is Parley's own. */
  readonly isFrame: boolean;
}

export interface MessageLogLimits {
  readonly messages: number;
  readonly bytes: number;
}

export class MessageLog {
  readonly #limits: MessageLogLimits;
  #messages: LoggedMessage[] = [];
  /** Messages before this index are evicted; they are cut off in bulk, so that eviction costs O(1). */
  #head = 0;
  #bytes = 0;
  #last: number;
  #wake: (() => void) | undefined;
  #changed: Promise<void> | undefined;

  constructor(last: number, limits: MessageLogLimits) {
    this.#last = last;
    this.#limits = limits;
  }

  get last(): number {
    return this.#last;
  }

  appendFrame(raw: string): void {
    this.#append([Buffer.from(raw)], true);
  }

  append(messages: readonly CodeServerMessage[]): void {
    this.#append(
      messages.map((message) => Buffer.from(JSON.stringify(message))),
      false,
    );
  }

  #append(parts: readonly Buffer[], isFrame: boolean): void {
    this.#last += 1;
    this.#messages.push({ number: this.#last, parts, isFrame });
    this.#bytes += sizeOf(parts);
    while (this.#size > 1 && this.#isOverLimit()) this.#evict();
    this.nudge();
  }

  /**
   * Messages after the number, oldest first; nothing when some of them are gone, or the number is not ours. Only so
   * many at once, because a reader that stops midway keeps them from being freed.
   */
  after(number: number, most: number): readonly LoggedMessage[] | undefined {
    const first = this.#last - this.#size + 1;
    if (number > this.#last || number + 1 < first) return undefined;
    const begin = this.#head + (number + 1 - first);
    return this.#messages.slice(begin, begin + most);
  }

  /** As much as is left of what came after the number. */
  tail(number: number): readonly LoggedMessage[] {
    return this.after(Math.max(number, this.#last - this.#size), this.#size) ?? [];
  }

  /** Resolves at the next message or nudge. */
  changed(): Promise<void> {
    this.#changed ??= new Promise((resolve) => {
      this.#wake = resolve;
    });
    return this.#changed;
  }

  /** Wakes the readers to look again, at the log and at whether they are still wanted. */
  nudge(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    this.#changed = undefined;
    wake?.();
  }

  get #size(): number {
    return this.#messages.length - this.#head;
  }

  #isOverLimit(): boolean {
    return this.#size > this.#limits.messages || this.#bytes > this.#limits.bytes;
  }

  #evict(): void {
    const evicted = this.#messages[this.#head];
    if (evicted) this.#bytes -= sizeOf(evicted.parts);
    this.#head += 1;
    if (this.#head < 1024 && this.#head * 2 < this.#messages.length) return;
    this.#messages = this.#messages.slice(this.#head);
    this.#head = 0;
  }
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((sum, part) => sum + part.length, 200);
}
