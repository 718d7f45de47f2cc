// Clients that prompt and read through a proxy while servers fail, and what they have seen: whether each stream continued,
// and whether everything that was acknowledged really happened, once.
import { setTimeout as pause } from 'node:timers/promises';
import { createClient, type ParleyClient } from '@parley/client';
import type { Envelope } from '@parley/protocol';
import { lastUserText, reply, say, startAnthropicStandIn, wait } from '@parley/stand-ins';

/** A model that answers slowly enough for servers to fail meanwhile, and counts how often it gets each prompt. */
export async function startCountingModel() {
  const standIn = await startAnthropicStandIn({ record: { requests: 1 } });
  const counts = new Map<string, number>();
  const words = Array.from({ length: 6 }, (_, index) => [wait(() => pause(40)), say(`word${index} `)]);
  standIn
    .script(() => true)
    .always(({ body }) => {
      const [name] = /client-\d+-prompt-\d+/.exec(lastUserText(body)) ?? [''];
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return reply(...words.flat());
    });
  return { url: standIn.url, counts, close: () => standIn.close() };
}

export interface ClientOptions {
  readonly url: string;
  readonly apiKey: string;
  readonly person: string;
}

export class ClientUnderFaults {
  readonly acknowledged = new Map<string, string>();
  readonly seen: Envelope[] = [];
  readonly #name: string;
  readonly #client: ParleyClient;
  readonly #stop = new AbortController();
  readonly #leave = new AbortController();
  readonly #working: Promise<unknown>[] = [];
  readonly #ended = new Set<string>();
  #session = '';
  #lastEventAt = 0;
  #longestGapMs = 0;

  constructor(number: number, { url, apiKey, person }: ClientOptions) {
    this.#name = `client-${number}`;
    this.#client = createClient({ baseUrl: url, apiKey, person: () => person, transport: 'sse' });
  }

  /** The keys of prompts that were acknowledged and whose end has not been seen. */
  get unanswered(): readonly string[] {
    return [...this.acknowledged].flatMap(([key, turnId]) => (this.#ended.has(turnId) ? [] : [key]));
  }

  get lastKey(): string | undefined {
    return [...this.acknowledged.keys()].at(-1);
  }

  /** The longest time without an event since the last call, although prompts were sent all the time. */
  takeLongestGapMs(): number {
    const longest = this.#longestGapMs;
    this.#longestGapMs = 0;
    return longest;
  }

  async start(): Promise<void> {
    this.#session = (await this.#client.sessions.create({ assistant: 'notes' })).id;
    this.#lastEventAt = performance.now();
    this.#working.push(this.#read(), this.#prompt());
  }

  /** Sends no more, and waits until everything that was acknowledged has ended. */
  async finish(): Promise<void> {
    this.#stop.abort();
    await this.#working[1];
    while (this.unanswered.length > 0) await pause(50);
    this.#leave.abort();
    await Promise.allSettled(this.#working);
  }

  /** Everything that is stored, from the first number on. */
  async stored(): Promise<readonly Envelope[]> {
    const all: Envelope[] = [];
    const last = this.seen.at(-1)?.seq ?? 0;
    for await (const envelope of this.#client.subscribe(this.#session, { after: 0 })) {
      all.push(envelope);
      if (envelope.seq >= last) break;
    }
    return all;
  }

  close(): void {
    this.#stop.abort();
    this.#leave.abort();
    this.#client.close();
  }

  async #read(): Promise<void> {
    const options = { after: 0, signal: this.#leave.signal };
    for await (const envelope of this.#client.subscribe(this.#session, options)) {
      const now = performance.now();
      if (!this.#stop.signal.aborted)
        this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#lastEventAt);
      this.#lastEventAt = now;
      this.seen.push(envelope);
      if (envelope.event.type === 'turn.ended' && envelope.turnId) this.#ended.add(envelope.turnId);
    }
  }

  async #prompt(): Promise<void> {
    for (let number = 1; !this.#stop.signal.aborted; number += 1) {
      const key = `${this.#name}-prompt-${number}`;
      const turnId = await this.#sendUntilAcknowledged(key);
      this.acknowledged.set(key, turnId);
      await pause(700 + Math.random() * 600);
      // One may wait in the queue. More would only grow it on a slow machine.
      while (this.unanswered.length > 1 && !this.#stop.signal.aborted) await pause(50);
    }
  }

  /** Always with the same key, as the web app does. */
  async #sendUntilAcknowledged(key: string): Promise<string> {
    for (;;) {
      const signal = AbortSignal.timeout(10_000);
      const content = { text: `Say something, ${key}`, images: [] };
      const receipt = await this.#client.sessions
        .prompt(this.#session, content, { key, signal })
        .catch(() => undefined);
      if (receipt?.turnId) return receipt.turnId;
      await pause(500);
    }
  }
}

/** What went wrong; empty if everything is as promised. */
export function problemsOf(
  { acknowledged, seen }: ClientUnderFaults,
  stored: readonly Envelope[],
  counts: ReadonlyMap<string, number>,
): readonly string[] {
  const problems: string[] = [];
  const meanings = new Map<number, string>();
  for (const { seq, turnId, event } of [...stored, ...seen]) {
    const meaning = `${turnId} ${JSON.stringify(event)}`;
    if ((meanings.get(seq) ?? meaning) !== meaning)
      problems.push(`${seq}: ${meanings.get(seq)} / ${meaning}`);
    meanings.set(seq, meaning);
  }
  for (const list of [stored, seen]) {
    if (list.some(({ seq }, at) => at > 0 && seq <= (list[at - 1]?.seq ?? 0))) problems.push('not in order');
    const ends = list.flatMap(({ turnId, event }) => (event.type === 'turn.ended' ? [turnId] : []));
    if (new Set(ends).size !== ends.length) problems.push('a turn has ended twice');
    for (const [key, turnId] of acknowledged) if (!ends.includes(turnId)) problems.push(`${key} is lost`);
  }
  for (const [key] of acknowledged)
    if ((counts.get(key) ?? 0) > 1) problems.push(`${key} ran ${counts.get(key)} times`);
  return problems;
}
