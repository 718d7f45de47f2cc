// One run of the simulation: three servers, a few sessions, and everything that can go wrong, all chosen by a seed. At the
// end everything is repaired, and what people and tools have seen is compared with what is stored.
import type { Envelope } from '@parley/protocol';
import { MemoryRegistry } from '../support/memory-registry.ts';
import { MemoryStore } from './database.ts';
import { Network } from './network.ts';
import { People } from './people.ts';
import { SimulatedServer, type Surroundings, Work } from './server.ts';
import { World } from './world.ts';

export interface RunOptions {
  /** Turned off to show that the simulation notices. */
  readonly isFencing?: boolean;
}

export interface Outcome {
  readonly seed: number;
  readonly violations: readonly string[];
  readonly story: readonly string[];
  /** How much the run has tested. */
  readonly acknowledged: number;
  readonly takeovers: number;
}

const faultsMs = 30_000;
/** Long enough for a lease to run out, and for everybody to try again. */
const repairMs = 120_000;
const names = ['a', 'b', 'c'];

export async function simulate(seed: number, { isFencing = true }: RunOptions = {}): Promise<Outcome> {
  const world = new World(seed);
  const store = new MemoryStore(world);
  const registry = new MemoryRegistry(store as never, () => world.now);
  registry.isFencing = isFencing;
  const owners = watchOwners(world, registry);
  const servers = new Map<string, SimulatedServer>();
  const surroundings: Surroundings = {
    world,
    store,
    registry,
    network: new Network(world),
    servers,
    work: new Work(world),
  };
  const places = names.map((name) => new Place(name, surroundings));
  const people = new People(world, () => places.flatMap(({ server }) => server ?? []));

  await world.pass(100);
  planPeople(world, store, people);
  for (let fault = world.chance.whole(1, 6); fault > 0; fault -= 1)
    world.later(world.chance.between(0, faultsMs), () => breakSomething(places, surroundings));
  await world.pass(faultsMs);
  surroundings.network.repairAll();
  for (const place of places) place.repair();
  world.tell('everything is repaired');
  await world.pass(world.now + repairMs, () => unsettled(store, people).length === 0);
  for (const problem of unsettled(store, people)) world.violated(problem);
  check(world, store, people);
  return {
    seed,
    violations: world.violations,
    story: world.story,
    acknowledged: people.acknowledged.size,
    takeovers: owners.takeovers,
  };
}

/** Where a server runs, and is restarted. */
class Place {
  readonly name: string;
  server: SimulatedServer | undefined;
  readonly #surroundings: Surroundings;
  #starts = 0;

  constructor(name: string, surroundings: Surroundings) {
    this.name = name;
    this.#surroundings = surroundings;
    this.start();
  }

  start(): void {
    if (this.server && !this.server.process.isDead) return;
    this.#starts += 1;
    const server = new SimulatedServer(`${this.name}#${this.#starts}`, this.#surroundings);
    this.server = server;
    server.process.deliver(() => void server.start());
  }

  repair(): void {
    const { server } = this;
    if (!server) return;
    server.connection.isCut = false;
    server.connection.losesHeartbeats = false;
    server.connection.isFlaky = false;
    server.connection.pausesInWrite = false;
    server.process.resume();
    this.start();
  }
}

function breakSomething(places: readonly Place[], { world, network }: Surroundings): void {
  const { chance } = world;
  const place = chance.pick(places);
  const { server } = place;
  const forMs = chance.between(100, 25_000);
  const during = (text: string, begin: () => void, end: () => void) => {
    world.tell(`${text} for ${(forMs / 1_000).toFixed(1)} s`);
    begin();
    world.later(forMs, end);
  };
  if (!server || server.process.isDead) return;
  const { process, connection } = server;
  switch (chance.whole(0, 8)) {
    case 0:
    case 1:
      return during(
        `${process.name} is paused`,
        () => (chance.is(0.5) ? process.pause() : (connection.pausesInWrite = true)),
        () => {
          connection.pausesInWrite = false;
          process.resume();
        },
      );
    case 2:
      return during(
        `${process.name} is killed`,
        () => process.kill(),
        () => place.start(),
      );
    case 3:
      return during(
        `${process.name} is stopped`,
        () => process.deliver(() => void server.stop()),
        () => place.start(),
      );
    case 4:
      return during(
        `${process.name} is cut off from the database`,
        () => (connection.isCut = true),
        () => (connection.isCut = false),
      );
    case 5:
      return during(
        `${process.name} loses its heartbeats`,
        () => (connection.losesHeartbeats = true),
        () => (connection.losesHeartbeats = false),
      );
    case 6:
      return during(
        `some calls of ${process.name} to the database fail`,
        () => (connection.isFlaky = true),
        () => (connection.isFlaky = false),
      );
    case 7: {
      const other = chance.pick(places).name;
      const isOneWay = chance.is(0.5);
      return during(
        `${place.name} can't reach ${other}${isOneWay ? '' : ', nor the other way round'}`,
        () => {
          network.cut(place.name, other);
          if (!isOneWay) network.cut(other, place.name);
        },
        () => {
          network.repair(place.name, other);
          network.repair(other, place.name);
        },
      );
    }
    default: {
      const set = (isCut: boolean) => {
        for (const each of places) if (each.server) each.server.connection.isCut = isCut;
      };
      return during(
        'the database is away',
        () => set(true),
        () => set(false),
      );
    }
  }
}

function planPeople(world: World, store: MemoryStore, people: People): void {
  const { chance } = world;
  const sessions = chance.whole(1, 3);
  for (let session = 1; session <= sessions; session += 1) {
    const id = `session-${session}`;
    store.sessions.set(id, people.createSession(id));
    for (let prompt = chance.whole(1, 5); prompt > 0; prompt -= 1)
      world.later(chance.between(0, faultsMs), () => people.send(id, `${id} prompt ${prompt}`));
    for (let reader = chance.whole(1, 2); reader > 0; reader -= 1)
      world.later(chance.between(0, faultsMs / 2), () => people.read(id));
  }
}

function unsettled({ turns, events }: MemoryStore, { waiting, readers }: People): readonly string[] {
  if (waiting > 0) return [`${waiting} prompts are not acknowledged`];
  for (const { id, status } of turns.values())
    if (status === 'queued' || status === 'running') return [`${id} is still ${status}`];
  for (const { session, seen } of readers) {
    const [last, stored] = [seen.at(-1)?.seq ?? 0, events.get(session)?.at(-1)?.seq ?? 0];
    if (last < stored) return [`a reader of ${session} has ${last} of ${stored}`];
  }
  return [];
}

function check(world: World, { turns, events }: MemoryStore, { acknowledged, readers }: People): void {
  for (const [key, turnId] of acknowledged)
    if (!turns.has(turnId)) world.violated(`the acknowledged prompt ${key} is lost`);
  const ends = new Map<string, number>();
  const meanings = new Map<string, string>();
  for (const log of events.values()) {
    for (const envelope of log) {
      if (envelope.event.type === 'turn.ended')
        ends.set(envelope.turnId ?? '', (ends.get(envelope.turnId ?? '') ?? 0) + 1);
      hasOneMeaning(world, meanings, envelope);
    }
  }
  for (const { id } of turns.values())
    if (ends.get(id) !== 1) world.violated(`${id} has ended ${ends.get(id) ?? 0} times`);
  for (const { seen } of readers) for (const envelope of seen) hasOneMeaning(world, meanings, envelope);
}

function hasOneMeaning(world: World, meanings: Map<string, string>, envelope: Envelope): void {
  const number = `${envelope.sessionId} ${envelope.seq}`;
  const meaning = `${envelope.turnId} ${JSON.stringify(envelope.event)}`;
  const other = meanings.get(number) ?? meaning;
  meanings.set(number, meaning);
  if (other !== meaning) world.violated(`${number} means ${other} and ${meaning}`);
}

/** Each epoch is given once, and grows from owner to owner. */
function watchOwners(world: World, registry: MemoryRegistry): { takeovers: number } {
  const seen = { takeovers: 0 };
  const newest = new Map<string, number>();
  const epochs = new Set<number>();
  const claim = registry.claim.bind(registry);
  registry.claim = async (server, session, options) => {
    const answer = await claim(server, session, options);
    if (!('epoch' in answer)) return answer;
    world.tell(`${server.id} owns ${session}, epoch ${answer.epoch}, ${answer.start}`);
    if (answer.start === 'abandoned') seen.takeovers += 1;
    if (epochs.has(answer.epoch)) world.violated(`epoch ${answer.epoch} has two owners`);
    if (answer.epoch <= (newest.get(session) ?? 0)) world.violated(`the epoch of ${session} did not grow`);
    epochs.add(answer.epoch);
    newest.set(session, answer.epoch);
    return answer;
  };
  return seen;
}
