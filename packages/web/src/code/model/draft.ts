// A transcript while a batch of messages is folded into it: what changes is copied once for the batch, what does not
// stays the same object, so that the page can tell what it has to draw again.
import type { Item, ToolResult } from './items.ts';
import { type Facts, type PartialMessage, type Transcript, threadOf } from './transcript.ts';

export class Draft {
  readonly #before: Transcript;
  readonly #added = new Map<string, Item[]>();
  #results: Map<string, ToolResult> | undefined;
  #partials: Map<string, PartialMessage> | undefined;
  #seen: Set<string> | undefined;
  #facts: Facts;

  constructor(before: Transcript) {
    this.#before = before;
    this.#facts = before.facts;
  }

  /** False when the message is in already. */
  admit(key: string): boolean {
    if ((this.#seen ?? this.#before.seen).has(key)) return false;
    this.#seen ??= new Set(this.#before.seen);
    this.#seen.add(key);
    return true;
  }

  add(thread: string, item: Item): void {
    const added = this.#added.get(thread);
    if (added) added.push(item);
    else this.#added.set(thread, [item]);
  }

  /** The newest item of the thread that passes. */
  findLast(thread: string, passes: (item: Item) => boolean): Item | undefined {
    return this.#added.get(thread)?.findLast(passes) ?? threadOf(this.#before, thread).findLast(passes);
  }

  setResult(id: string, result: ToolResult): void {
    this.#results ??= new Map(this.#before.results);
    this.#results.set(id, result);
  }

  partial(thread: string): PartialMessage | undefined {
    return (this.#partials ?? this.#before.partials).get(thread);
  }

  setPartial(thread: string, message: PartialMessage | undefined): void {
    if (!message && !this.partial(thread)) return;
    this.#partials ??= new Map(this.#before.partials);
    if (message) this.#partials.set(thread, message);
    else this.#partials.delete(thread);
  }

  clearPartials(): void {
    if ((this.#partials ?? this.#before.partials).size > 0) this.#partials = new Map();
  }

  get facts(): Facts {
    return this.#facts;
  }

  learn(facts: Partial<Facts>): void {
    this.#facts = { ...this.#facts, ...facts };
  }

  finish(): Transcript {
    const threads = this.#added.size > 0 ? new Map(this.#before.threads) : this.#before.threads;
    if (threads instanceof Map) {
      for (const [thread, items] of this.#added)
        threads.set(thread, [...threadOf(this.#before, thread), ...items]);
    }
    return {
      threads,
      results: this.#results ?? this.#before.results,
      partials: this.#partials ?? this.#before.partials,
      seen: this.#seen ?? this.#before.seen,
      facts: this.#facts,
    };
  }
}
