// Decides which reply a request gets: the first script that matches and still has a reply, in the order in which
// the scripts were made. This lets parallel sessions each have their own script.
import type { Reply } from '@parley/demo/services';
import type { RecordedRequest } from './request-record.ts';

export type RequestMatch = (request: RecordedRequest) => boolean;

/** A reply, or a function that makes one when it is needed. */
export type ReplySource = Reply | ((request: RecordedRequest) => Reply | Promise<Reply>);

export type Script = {
  /** Appends replies to this script. */
  enqueue(...replies: readonly ReplySource[]): Script;
  /** Sends this reply every time the queue is empty. */
  always(reply: ReplySource): Script;
  /** How many replies are left. */
  readonly remaining: number;
  /** How many requests this script has answered. */
  readonly taken: number;
  /** Removes the script. */
  remove(): void;
};

export class ScriptBook {
  readonly #scripts: QueuedScript[] = [];
  readonly #everything: QueuedScript;

  constructor() {
    this.#everything = new QueuedScript(
      () => true,
      () => undefined,
    );
  }

  add(match: RequestMatch): Script {
    const script: QueuedScript = new QueuedScript(match, () => {
      const at = this.#scripts.indexOf(script);
      if (at >= 0) this.#scripts.splice(at, 1);
    });
    this.#scripts.push(script);
    return script;
  }

  /** The script for any conversation, used after all others. */
  get everything(): Script {
    return this.#everything;
  }

  take(request: RecordedRequest): ReplySource | undefined {
    for (const script of this.#scripts) {
      const reply = script.take(request);
      if (reply !== undefined) return reply;
    }
    return this.#everything.take(request);
  }
}

class QueuedScript implements Script {
  readonly #match: RequestMatch;
  readonly #leave: () => void;
  readonly #queue: ReplySource[] = [];
  #always: ReplySource | undefined;
  #taken = 0;

  constructor(match: RequestMatch, leave: () => void) {
    this.#match = match;
    this.#leave = leave;
  }

  get remaining(): number {
    return this.#queue.length;
  }

  get taken(): number {
    return this.#taken;
  }

  enqueue(...replies: readonly ReplySource[]): this {
    this.#queue.push(...replies);
    return this;
  }

  always(reply: ReplySource): this {
    this.#always = reply;
    return this;
  }

  remove(): void {
    this.#queue.length = 0;
    this.#always = undefined;
    this.#leave();
  }

  take(request: RecordedRequest): ReplySource | undefined {
    if (this.#queue.length === 0 && this.#always === undefined) return undefined;
    if (!this.#match(request)) return undefined;
    this.#taken += 1;
    return this.#queue.shift() ?? this.#always;
  }
}
