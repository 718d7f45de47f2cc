// Several followers share one subscription, and each gets every event after its number once and in order.
import type { LiveClientMessage, LiveServerMessage } from '@parley/protocol';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Subscriptions } from '../src/subscriptions.ts';
import { sessionId as session } from './memory-server.ts';

type ServerMessage = Extract<LiveServerMessage, { type: 'subscribed' | 'event' }>;

const event = (seq: number): ServerMessage => ({
  type: 'event',
  envelope: { seq, sessionId: session, at: 0, event: { type: 'text.delta', text: '' } },
});

function follower(after: number | undefined) {
  const seen: number[] = [];
  const options = { after, onEvent: ({ seq }: { seq: number }) => seen.push(seq), fail: () => undefined };
  return { seen, options };
}

describe('a follower who joins later and wants older events', () => {
  it('gets nothing before the server has gone back to them', () => {
    const sent: LiveClientMessage[] = [];
    const subscriptions = new Subscriptions((message) => sent.push(message));
    subscriptions.connected();
    const [first, second] = [follower(0), follower(1)];
    subscriptions.join(session, first.options);
    subscriptions.receive({ type: 'subscribed', session, after: 0 });
    for (const seq of [1, 2, 3]) subscriptions.receive(event(seq));
    subscriptions.join(session, second.options);
    expect(sent.at(-1)).toEqual({ type: 'subscribe', session, after: 1 });
    subscriptions.receive(event(4));
    expect(second.seen).toEqual([]);
    subscriptions.receive({ type: 'subscribed', session, after: 1 });
    for (const seq of [2, 3, 4, 5]) subscriptions.receive(event(seq));
    expect(second.seen).toEqual([2, 3, 4, 5]);
    expect(first.seen).toEqual([1, 2, 3, 4, 5]);
  });
});

/** One session of a server, with messages under way in both directions. */
class Wire {
  readonly subscriptions = new Subscriptions((message) => this.#toServer.push(message));
  readonly followers: { readonly after: number; readonly seen: number[] }[] = [];
  #toServer: LiveClientMessage[] = [];
  #toClient: ServerMessage[] = [];
  #wanted: number | undefined;
  #position: number | undefined;
  #last = 0;
  #isConnected = false;

  join(back: number): void {
    const { seen, options } = follower(Math.max(0, this.#last - back));
    this.followers.push({ after: options.after ?? 0, seen });
    this.subscriptions.join(session, options);
  }

  publish(): void {
    this.#last += 1;
  }

  toggle(): void {
    this.#isConnected = !this.#isConnected;
    [this.#toServer, this.#toClient, this.#wanted, this.#position] = [[], [], undefined, undefined];
    if (this.#isConnected) this.subscriptions.connected();
    else this.subscriptions.disconnected();
  }

  /** The server reads a message. A subscription that is replaced before it was confirmed is never confirmed. */
  read(): void {
    const message = this.#toServer.shift();
    if (message?.type !== 'subscribe') return;
    this.#wanted = message.after ?? this.#last;
    this.#position = undefined;
  }

  write(): void {
    if (this.#wanted !== undefined) {
      this.#toClient.push({ type: 'subscribed', session, after: this.#wanted });
      [this.#position, this.#wanted] = [this.#wanted, undefined];
    } else if (this.#position !== undefined && this.#position < this.#last) {
      this.#position += 1;
      this.#toClient.push(event(this.#position));
    }
  }

  deliver(): void {
    const message = this.#toClient.shift();
    if (message) this.subscriptions.receive(message);
  }

  settle(): void {
    if (!this.#isConnected) this.toggle();
    for (let step = 0; step < 1_000; step += 1) {
      this.read();
      this.write();
      this.deliver();
    }
  }

  get last(): number {
    return this.#last;
  }
}

describe('any number of followers over a connection that breaks', () => {
  it('each get every event after their number, once and in order [code.live.resume]', () => {
    const step = fc.oneof(
      { weight: 2, arbitrary: fc.nat(8).map((back) => (wire: Wire) => wire.join(back)) },
      { weight: 1, arbitrary: fc.constant((wire: Wire) => wire.toggle()) },
      ...(['publish', 'read', 'write', 'deliver'] as const).map((name) => ({
        weight: 6,
        arbitrary: fc.constant((wire: Wire) => wire[name]()),
      })),
    );
    fc.assert(
      fc.property(fc.array(step, { minLength: 40, maxLength: 120 }), (steps) => {
        const wire = new Wire();
        wire.toggle();
        for (const run of steps) run(wire);
        wire.settle();
        for (const { after, seen } of wire.followers)
          expect(seen).toEqual(Array.from({ length: wire.last - after }, (_, at) => after + at + 1));
      }),
      { numRuns: 500 },
    );
  });
});
