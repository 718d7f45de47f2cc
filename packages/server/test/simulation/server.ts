// A server of the simulation: the real gateway and the real ownership code, on a simulated clock, database and network.
import type { EngineEvent } from '@parley/protocol';
import { pause } from '../../src/basics/backoff.ts';
import { createClusterGateway } from '../../src/cluster/cluster-gateway.ts';
import { OwnedSessions } from '../../src/cluster/owned-sessions.ts';
import { ServerLease } from '../../src/cluster/server-lease.ts';
import { startSweeper } from '../../src/cluster/sweeper.ts';
import type { Engine, EngineTurn } from '../../src/domain/engine.ts';
import type { Gateway } from '../../src/domain/gateway.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { movedAway } from '../../src/domain/ownership.ts';
import { createGateway, type RunningGateway } from '../../src/gateway/gateway.ts';
import type { MemoryRegistry } from '../support/memory-registry.ts';
import { Connection, type MemoryStore, type SimulatedStore } from './database.ts';
import { type Network, type NetworkHost, place } from './network.ts';
import { SimulatedProcess } from './process.ts';
import type { World } from './world.ts';

export interface Surroundings {
  readonly world: World;
  readonly store: MemoryStore;
  readonly registry: MemoryRegistry;
  readonly network: Network;
  readonly servers: Map<string, SimulatedServer>;
  readonly work: Work;
}

/** As `limits.shutdownSeconds` makes it. */
const drainMs = 4_000;

export class SimulatedServer implements NetworkHost {
  readonly process: SimulatedProcess;
  readonly connection: Connection;
  readonly gateway: Gateway;
  isStopping = false;
  readonly #local: RunningGateway;
  readonly #owned: OwnedSessions;
  readonly #lease: ServerLease;
  #stopSweeper = () => {};

  constructor(name: string, { world, store, registry, network, servers, work }: Surroundings) {
    this.process = new SimulatedProcess(name, world);
    const { timers, clock } = this.process;
    this.connection = new Connection(world, this.process);
    let ids = 0;
    const newId = () => `${name}-${++ids}`;
    const seen = this.connection.registry(registry);
    const info = { id: name, machine: place(this.process), url: `http://${name}` };
    const tell = (_: object, text: string) => world.tell(`${name}: ${text}`);
    const logger = { ...silentLogger, info: tell, error: tell };
    const parts = { registry: seen, server: info, timers, logger };
    this.#lease = new ServerLease(parts);
    this.#owned = new OwnedSessions({ ...parts, lease: this.#lease });
    this.#local = createGateway({
      store: this.connection.store(store as unknown as SimulatedStore),
      ownership: this.#owned,
      engines: [work.engineOf(this.process)],
      clock,
      timers,
      newId,
      logger: silentLogger,
      observer: { turnEnded: () => undefined },
      limits: { queue: 20, keptEvents: 1_000_000, log: { events: 64, bytes: 1_000_000 } },
    });
    this.gateway = createClusterGateway({
      local: this.#local,
      reach: ({ id }) => {
        const other = servers.get(id);
        if (!other) throw movedAway();
        return network.gateway(this.process, other);
      },
      timers,
      newId,
    });
    servers.set(name, this);
  }

  /** Like `join` of `app/cluster.ts`; tries until the database answers. */
  async start(): Promise<void> {
    for (;;) {
      try {
        await this.#lease.start();
        await this.#local.recover();
        break;
      } catch {
        await pause(500, undefined, this.process.timers);
      }
    }
    this.#stopSweeper = startSweeper(() => this.#local.recover(), this.process.timers, silentLogger);
  }

  /** Like a server that gets SIGTERM: `drain` and `close` of `app/cluster.ts` in the order of `app.ts`. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.#stopSweeper();
    await this.#owned.drain();
    const late = new AbortController();
    const cancel = this.process.timers.after(drainMs, () => late.abort());
    // Without a database it ends anyway.
    await this.#local.drain(late.signal).catch(() => undefined);
    cancel();
    await this.#owned.drain();
    await this.#local.close();
    await this.#owned.drain();
    await this.#lease.close();
    this.#owned.close();
    this.process.kill();
  }
}

/** What all servers do for people, as the world sees it: no tool may run twice, and no two servers may work at once. */
export class Work {
  readonly #world: World;
  readonly #toolRuns = new Map<string, number>();
  readonly #working = new Map<
    string,
    Set<{ readonly process: SimulatedProcess; readonly turn: EngineTurn }>
  >();

  constructor(world: World) {
    this.#world = world;
  }

  engineOf(process: SimulatedProcess): Engine {
    return {
      name: 'messages-api',
      storesEvents: true,
      run: (turn) => this.#run(process, turn),
      close: async () => undefined,
    };
  }

  async *#run(process: SimulatedProcess, turn: EngineTurn): AsyncGenerator<EngineEvent, void, undefined> {
    const { chance } = this.#world;
    const work = (least: number, most: number) =>
      pause(chance.between(least, most), turn.signal, process.timers);
    const begun = this.#begin(process, turn);
    try {
      await turn.saveStart();
      yield { type: 'message', role: 'user', content: [{ type: 'text', text: turn.id }] };
      const steps = chance.whole(1, 5);
      for (let step = 0; step < steps; step += 1) {
        if (!(await work(5, chance.is(0.2) ? 6_000 : 400))) return;
        if (chance.is(0.3)) {
          const id = `${turn.id}-${step}`;
          yield { type: 'tool.started', id, tool: 'look', input: {} };
          this.#runTool(id);
          await work(5, 2_000);
          yield { type: 'tool.ended', id, tool: 'look', outcome: 'finished' };
        } else yield { type: 'text.delta', text: `${process.name} ${step} ` };
      }
      yield { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'done' }] };
    } finally {
      this.#world.tell(
        `${process.name} is done with ${turn.id}${turn.signal.aborted ? ', interrupted' : ''}`,
      );
      this.#working.get(turn.session.id)?.delete(begun);
    }
  }

  #runTool(id: string): void {
    // The same step of the same turn; a turn that was cut off must not begin again.
    const runs = (this.#toolRuns.get(id) ?? 0) + 1;
    this.#toolRuns.set(id, runs);
    if (runs > 1) this.#world.violated(`the tool call ${id} ran ${runs} times`);
  }

  #begin(process: SimulatedProcess, turn: EngineTurn) {
    this.#world.tell(`${process.name} begins ${turn.id}`);
    const all = this.#working.get(turn.session.id) ?? new Set();
    this.#working.set(turn.session.id, all);
    for (const other of all) {
      const { isDead, isPaused, resumedAt } = other.process;
      const hasJustWokenUp = this.#world.now - resumedAt < 100;
      if (isDead || isPaused || hasJustWokenUp || other.turn.signal.aborted) continue;
      this.#world.violated(`${process.name} and ${other.process.name} work for ${turn.session.id}`);
    }
    const begun = { process, turn };
    all.add(begun);
    return begun;
  }
}
