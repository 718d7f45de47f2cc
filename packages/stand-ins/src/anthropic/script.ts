// Which reply a request gets: scripts are asked in the order they were made, the first that matches and
// still has a reply gives it. So parallel sessions can each have a script of their own.
import type { Reply } from './reply.ts';
import type { RecordedRequest } from './request-record.ts';

export type RequestMatch = (request: RecordedRequest) => boolean;

/** A reply, or a function that makes one when its turn has come. */
export type ReplySource = Reply | ((request: RecordedRequest) => Reply | Promise<Reply>);

export type Script = {
  /** Adds replies at the end of this script. */
  enqueue(...replies: readonly ReplySource[]): Script;
  /** From now on, when the queue is empty, this reply is given every time. */
  always(reply: ReplySource): Script;
  /** Replies not yet taken. */
  readonly remaining: number;
  /** Numbers of the requests that this script answered are in the record. */
  readonly taken: number;
  /** Takes the script out; requests no longer see it. */
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

  /** The script that any conversation may take from, asked after all others. */
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
