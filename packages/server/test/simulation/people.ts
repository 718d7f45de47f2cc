// The people of the simulation: they send prompts through any server until one acknowledges them, and read events through
// any server, continuing after the last number they saw.
import type { Envelope, SessionId } from '@parley/protocol';
import { say, scripted } from '../support/gateway-harness.ts';
import type { SimulatedServer } from './server.ts';
import type { World } from './world.ts';

const person = 'petra';
/** A client that hears nothing for this long tries another server. */
const patienceMs = 15_000;

export class People {
  /** Turns whose prompts were acknowledged, by key. */
  readonly acknowledged = new Map<string, string>();
  readonly readers: Reader[] = [];
  waiting = 0;
  readonly #world: World;
  readonly #servers: () => readonly SimulatedServer[];

  constructor(world: World, servers: () => readonly SimulatedServer[]) {
    this.#world = world;
    this.#servers = servers;
  }

  createSession(id: SessionId) {
    return { id, person, ...scripted, title: 'a title', settings: {}, createdAt: 0, updatedAt: 0 };
  }

  /** Through one server after the other, always with the same key. */
  send(session: SessionId, key: string): void {
    this.waiting += 1;
    const attempt = () => {
      const server = this.#anyServer();
      let isOver = false;
      const again = () => {
        if (isOver) return;
        isOver = true;
        this.#world.later(this.#world.chance.between(100, 2_000), attempt);
      };
      if (!server) return again();
      this.#world.later(patienceMs, again);
      server.process.onDeath(again);
      server.process.deliver(() => {
        server.gateway.prompt({ person, session, prompt: say(key), key, door: 'test' }).then(
          ({ turnId }) =>
            this.#world.later(this.#world.chance.between(0.1, 2), () => {
              // An answer that nobody waits for any more counts too: the person may have seen it.
              if (!isOver) this.waiting -= 1;
              isOver = true;
              this.#acknowledge(key, turnId);
            }),
          again,
        );
      });
    };
    attempt();
  }

  read(session: SessionId): void {
    const reader = new Reader(this.#world, session, () => this.#anyServer());
    this.readers.push(reader);
    reader.start();
  }

  #acknowledge(key: string, turnId: string): void {
    const earlier = this.acknowledged.get(key);
    if (earlier !== undefined && earlier !== turnId)
      this.#world.violated(`the prompt ${key} became two turns: ${earlier} and ${turnId}`);
    this.acknowledged.set(key, turnId);
  }

  #anyServer(): SimulatedServer | undefined {
    const running = this.#servers().filter(({ process, isStopping }) => !process.isDead && !isStopping);
    return running.length === 0 ? undefined : this.#world.chance.pick(running);
  }
}

export class Reader {
  readonly session: SessionId;
  readonly seen: Envelope[] = [];
  readonly #world: World;
  readonly #anyServer: () => SimulatedServer | undefined;
  #after = 0;

  constructor(world: World, session: SessionId, anyServer: () => SimulatedServer | undefined) {
    this.#world = world;
    this.session = session;
    this.#anyServer = anyServer;
  }

  start(): void {
    const server = this.#anyServer();
    let isOver = false;
    const stop = new AbortController();
    const again = () => {
      if (isOver) return;
      isOver = true;
      server?.process.deliver(() => stop.abort());
      this.#world.later(this.#world.chance.between(50, 1_500), () => this.start());
    };
    if (!server) return again();
    this.#world.tell(
      `a reader of ${this.session} asks ${server.process.name} for what follows ${this.#after}`,
    );
    server.process.onDeath(again);
    const checkLater = () =>
      this.#world.later(patienceMs, () => {
        if (!isOver) (server.process.isPaused ? again : checkLater)();
      });
    checkLater();
    server.process.deliver(() => void this.#follow(server, stop.signal, () => isOver, again));
  }

  async #follow(server: SimulatedServer, signal: AbortSignal, isOver: () => boolean, again: () => void) {
    try {
      for await (const envelope of server.gateway.subscribe(person, this.session, {
        after: this.#after,
        signal,
      })) {
        if (isOver()) return;
        this.#saw(envelope);
      }
    } catch (error) {
      if ((error as { code?: string }).code === 'lagged')
        this.#world.violated(`a reader of ${this.session} was told that ${this.#after} is gone`);
    }
    again();
  }

  #saw(envelope: Envelope): void {
    if (envelope.seq <= this.#after)
      this.#world.violated(`a reader of ${this.session} got ${envelope.seq} after ${this.#after}`);
    this.#after = envelope.seq;
    this.seen.push(envelope);
  }
}
