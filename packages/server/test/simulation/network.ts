// The network between servers: calls that are delayed, lost on the way there or back, and streams that break. What a
// server notices is what `cluster/remote-gateway.ts` makes of it: `moved`.
import { type Envelope, ParleyError, type SessionId } from '@parley/protocol';
import type { Actor } from '../../src/domain/access.ts';
import type { Gateway, PromptRequest, SubscribeOptions } from '../../src/domain/gateway.ts';
import { movedAway } from '../../src/domain/ownership.ts';
import { forwarded } from '../support/several-servers.ts';
import type { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

export interface NetworkHost {
  readonly process: SimulatedProcess;
  readonly gateway: Gateway;
}

/** As in `cluster/remote-gateway.ts`. */
const answerMs = 10_000;
const silentMs = 12_000;

export class Network {
  readonly #world: World;
  readonly #cuts = new Set<string>();

  constructor(world: World) {
    this.#world = world;
  }

  cut(from: string, to: string): void {
    this.#cuts.add(`${from} ${to}`);
  }

  repair(from: string, to: string): void {
    this.#cuts.delete(`${from} ${to}`);
  }

  repairAll(): void {
    this.#cuts.clear();
  }

  /** The gateway of another server, as `from` sees it. */
  gateway(from: SimulatedProcess, to: NetworkHost): Gateway {
    const call = (work: (gateway: Gateway) => Promise<unknown>) => this.#call(from, to, work);
    return new Proxy({} as Gateway, {
      get: (_, method: keyof Gateway) => {
        if (method === 'prompt')
          return (request: PromptRequest) =>
            call((gateway) => gateway.prompt({ ...request, person: forwarded(request.person) }));
        if (method === 'subscribe')
          return (actor: Actor, id: SessionId, options: SubscribeOptions) =>
            this.#subscribe(from, to, actor, id, options);
        return (actor: Actor, ...rest: unknown[]) =>
          call((gateway) =>
            (gateway[method] as (...args: unknown[]) => Promise<unknown>)(forwarded(actor), ...rest),
          );
      },
    });
  }

  #call(
    from: SimulatedProcess,
    to: NetworkHost,
    work: (gateway: Gateway) => Promise<unknown>,
  ): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const lost = () => reject(movedAway());
      const cancel = from.timers.after(answerMs, lost);
      const back = (answer: () => void) =>
        this.#send(to.process, from, () => {
          cancel();
          answer();
        });
      this.#send(
        from,
        to.process,
        () =>
          void work(to.gateway).then(
            (value) => back(() => resolve(value)),
            (error: unknown) => back(() => reject(overTheWire(error))),
          ),
        { refused: () => from.deliver(lost) },
      );
    });
  }

  async *#subscribe(
    from: SimulatedProcess,
    to: NetworkHost,
    actor: Actor,
    id: SessionId,
    { after, signal }: SubscribeOptions,
  ): AsyncGenerator<Envelope, void, undefined> {
    const stream = new Stream<Envelope>();
    const stop = new AbortController();
    const broken = () => stream.fail(movedAway());
    const ended = () => stream.end();
    signal?.addEventListener('abort', ended, { once: true });
    if (signal?.aborted) return;
    const stopListening = to.process.onDeath(() => this.#world.later(1, () => from.deliver(broken)));
    let cancelCheck = () => {};
    // From the first loss on, nothing arrives any more, and after a while the reader notices.
    let hasLost = false;
    const checkLater = () => {
      cancelCheck = from.timers.after(silentMs, () =>
        hasLost || this.#isCut(to.process, from) || to.process.isPaused ? broken() : checkLater(),
      );
    };
    checkLater();
    const lose = () => {
      hasLost = true;
    };
    const send = (arrived: () => void) =>
      this.#send(to.process, from, () => void (hasLost || arrived()), { dropped: lose });
    this.#send(
      from,
      to.process,
      () => {
        void (async () => {
          try {
            const options = { signal: stop.signal, ...(after !== undefined && { after }) };
            for await (const envelope of to.gateway.subscribe(forwarded(actor), id, options))
              send(() => stream.push(envelope));
            send(() => stream.end());
          } catch (error) {
            send(() => stream.fail(overTheWire(error)));
          }
        })();
      },
      { refused: () => from.deliver(broken), dropped: lose },
    );
    try {
      yield* stream.read();
    } finally {
      cancelCheck();
      stopListening();
      signal?.removeEventListener('abort', ended);
      this.#send(from, to.process, () => stop.abort());
    }
  }

  /** In order, as on a connection. `refused` is called if nothing runs there. */
  #send(
    from: SimulatedProcess,
    to: SimulatedProcess,
    work: () => void,
    otherwise: { readonly refused?: () => void; readonly dropped?: () => void } = {},
  ): void {
    const at = Math.max(this.#world.now + this.#world.chance.between(0.1, 2), this.#lastArrival(from, to));
    this.#arrivals.set(`${from.name} ${to.name}`, at);
    this.#world.later(at - this.#world.now, () => {
      if (this.#isCut(from, to)) otherwise.dropped?.();
      else if (to.isDead) otherwise.refused?.();
      else to.deliver(work);
    });
  }

  readonly #arrivals = new Map<string, number>();

  #lastArrival(from: SimulatedProcess, to: SimulatedProcess): number {
    return this.#arrivals.get(`${from.name} ${to.name}`) ?? 0;
  }

  #isCut(from: SimulatedProcess, to: SimulatedProcess): boolean {
    return this.#cuts.has(`${place(from)} ${place(to)}`);
  }
}

/** A restarted server is in the same place. */
export function place({ name }: SimulatedProcess): string {
  return name.split('#')[0] ?? name;
}

/** An error loses its type on the wire: who the owner is, for example. */
function overTheWire(error: unknown): unknown {
  return error instanceof ParleyError ? new ParleyError(error.code, error.message) : error;
}

class Stream<T> {
  readonly #items: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake = () => {};

  push(item: T): void {
    if (this.#end) return;
    this.#items.push(item);
    this.#wake();
  }

  end(): void {
    this.#end ??= {};
    this.#wake();
  }

  fail(error: unknown): void {
    this.#end ??= { error };
    this.#wake();
  }

  async *read(): AsyncGenerator<T, void, undefined> {
    for (;;) {
      while (this.#items.length > 0) yield this.#items.shift() as T;
      if (this.#end && 'error' in this.#end) throw this.#end.error;
      if (this.#end) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
