// Finds the server that has the folder or the Claude Code session that a request needs. Asks the other servers for what
// the database doesn't know.
import type { Session, SessionId, WorkFolderList } from '@parley/protocol';
import { ParleyError } from '@parley/protocol';
import { BoundedMap } from '../basics/bounded-map.ts';
import { type Actor, isForwarded, personOf } from '../domain/access.ts';
import type { CodeSessions } from '../domain/code-sessions.ts';
import type { Gateway } from '../domain/gateway.ts';
import { absentMachine, type MachineRecords, type Machines } from '../domain/machines.ts';
import { movedAway, type OtherServer } from '../domain/ownership.ts';
import type { Server, ServerRegistry } from '../domain/server-registry.ts';
import type { WorkFolders } from '../domain/work-folders.ts';
import { errorOfServer, type Signing, signedHeaders, signedHttp } from './signed-http.ts';

export interface ClusterMachinesParts extends Signing {
  readonly server: Server;
  readonly registry: Pick<ServerRegistry, 'list'>;
  readonly records: Pick<MachineRecords, 'machineOf'>;
  readonly findSession: (id: SessionId) => Promise<Session | undefined>;
  /** What is on this machine. */
  readonly local: {
    readonly gateway: Pick<Gateway, 'getSession'>;
    readonly sessions: Pick<CodeSessions, 'get'>;
    readonly folders: Pick<WorkFolders, 'check'>;
  };
  readonly onForwarded: (call: string) => void;
}

interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  readonly ms?: number;
  readonly method?: 'GET' | 'PATCH' | 'DELETE';
  readonly body?: unknown;
}

/** How many sessions' machines are remembered; they never change. */
const maxPlaces = 10_000;
const anywhere = Symbol('anywhere');
/** A server that takes longer is left out. */
const answerMs = 5_000;

export class ClusterMachines implements Machines {
  readonly #parts: ClusterMachinesParts;
  readonly #places = new BoundedMap<SessionId, { readonly machine: string | typeof anywhere }>(maxPlaces);

  constructor(parts: ClusterMachinesParts) {
    this.#parts = parts;
  }

  async serverOfSession(actor: Actor, id: SessionId): Promise<OtherServer | undefined> {
    if (isForwarded(actor)) return undefined;
    const place = this.#places.get(id)?.machine ?? (await this.#lookUp(id));
    if (place === anywhere) return undefined;
    if (place !== undefined)
      return this.#serverOn(place, () => this.#parts.local.gateway.getSession(actor, id));
    if (await isFound(this.#parts.local.sessions.get(actor, id))) return undefined;
    return this.#firstWith(actor, `/api/claude/sessions/${encodeURIComponent(id)}`);
  }

  serverOfMachine(name: string): Promise<OtherServer | undefined> {
    return this.#serverOn(name, async () => {
      throw new ParleyError('not_found', `No server is running on a machine named "${name}".`);
    });
  }

  async serverOfFolder(actor: Actor, path: string): Promise<OtherServer | undefined> {
    if (isForwarded(actor) || (await isFound(this.#parts.local.folders.check(personOf(actor), path))))
      return undefined;
    return this.#firstWith(actor, `/api/work-folders?path=${encodeURIComponent(path)}`);
  }

  async rootsOfAll(actor: Actor, own: WorkFolderList['folders']): Promise<WorkFolderList['folders']> {
    const others = isForwarded(actor) ? [] : await this.others();
    if (others.length === 0) return own;
    const onMachine = (folders: WorkFolderList['folders'], machine: string) =>
      folders.map((folder) => ({ ...folder, machine }));
    const lists = await Promise.all(
      others.map(async (other) => {
        const list = await this.ask<WorkFolderList>(other, actor, '/api/work-folders').catch(() => undefined);
        return onMachine(list?.folders ?? [], other.machine);
      }),
    );
    return [...onMachine(own, this.#parts.server.machine), ...lists.flat()];
  }

  signedHeaders(
    ...[actor, { address, ...request }]: Parameters<Machines['signedHeaders']>
  ): Record<string, string> {
    return signedHeaders(actor, request, this.#parts.signature, address);
  }

  forwarded(kind: 'request' | 'upgrade'): void {
    this.#parts.onForwarded(kind);
  }

  /** The other servers that run. */
  async others(): Promise<readonly Server[]> {
    const { registry, server } = this.#parts;
    return (await registry.list()).filter((other) => other.machine !== server.machine && other.url !== '');
  }

  /** Sends a request to another server for the actor. Rejects with `moved` if it doesn't answer in time. */
  async ask<T>(
    other: OtherServer,
    actor: Actor,
    path: string,
    { signal, ms = answerMs, method = 'GET', body }: AskOptions = {},
  ): Promise<T> {
    const late = AbortSignal.timeout(ms);
    try {
      const http = signedHttp(other, actor, this.#parts);
      return await http.send<T>(method, path, body, signal ? AbortSignal.any([signal, late]) : late);
    } catch (error) {
      throw late.aborted ? movedAway() : errorOfServer(error);
    }
  }

  /** Undefined if nothing is recorded: nobody has used the session through Parley, or it starts where it is used next. */
  async #lookUp(id: SessionId): Promise<string | typeof anywhere | undefined> {
    const machine = await this.#parts.records.machineOf(id);
    const stored = machine === undefined ? await this.#parts.findSession(id) : undefined;
    const place = machine ?? (stored?.engine === 'messages-api' ? anywhere : undefined);
    if (place !== undefined) this.#places.set(id, { machine: place });
    // The first server that uses it gets it.
    return place ?? (stored ? anywhere : undefined);
  }

  /** `explain` may reject with a better reason than the absent machine. */
  async #serverOn(machine: string, explain: () => Promise<unknown>): Promise<OtherServer | undefined> {
    if (machine === this.#parts.server.machine) return undefined;
    const found = (await this.others()).find((other) => other.machine === machine);
    if (found) return found;
    await explain();
    throw absentMachine(machine);
  }

  async #firstWith(actor: Actor, path: string): Promise<OtherServer | undefined> {
    const others = await this.others();
    const isThere = await Promise.all(others.map((other) => isFound(this.ask(other, actor, path))));
    return others[isThere.indexOf(true)];
  }
}

function isFound(asked: Promise<unknown>): Promise<boolean> {
  return asked.then(
    () => true,
    () => false,
  );
}
