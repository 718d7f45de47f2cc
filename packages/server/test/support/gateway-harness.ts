// A real gateway with a real database and the scripted engine, and helpers to drive it.
import type { Envelope, SessionId } from '@parley/protocol';
import type { Engine } from '../../src/domain/engine.ts';
import type { Gateway } from '../../src/domain/gateway.ts';
import type { TurnRecord } from '../../src/domain/turn-observer.ts';
import type { GatewayOptions, RunningGateway } from '../../src/gateway/gateway.ts';
import { openSqliteStore, type SqliteStore } from '../../src/stores/sqlite/store.ts';
import { openGateway } from './open-gateway.ts';
import { ScriptedEngine } from './scripted-engine.ts';

export interface Harness {
  readonly gateway: RunningGateway;
  readonly store: SqliteStore;
  readonly engine: ScriptedEngine;
  readonly records: TurnRecord[];
  close(): Promise<void>;
}

export interface HarnessOptions {
  readonly file?: string;
  /** An open store instead of one on `file`; it is closed with the harness. */
  readonly store?: SqliteStore;
  readonly engine?: ScriptedEngine;
  readonly limits?: Partial<GatewayOptions['limits']>;
  /** Wraps the real store that the gateway gets. */
  readonly wrap?: (store: SqliteStore) => GatewayOptions['store'];
}

export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const store = options.store ?? (await openSqliteStore({ file: options.file ?? ':memory:' }));
  const engine = options.engine ?? new ScriptedEngine();
  const records: TurnRecord[] = [];
  const engines: Engine[] = [engine];
  const gateway = openGateway({
    store: options.wrap?.(store) ?? store,
    engines,
    observer: { turnEnded: (record) => records.push(record) },
    limits: { log: { events: 1_024, bytes: 1_000_000 }, ...options.limits },
  });
  return {
    gateway,
    store,
    engine,
    records,
    async close() {
      await gateway.close();
      await store.close();
    },
  };
}

export const scripted = { engine: 'messages-api', assistant: 'test' } as const;

export const say = (text: string) => [{ type: 'text' as const, text }];

/** Reads until the predicate holds, and returns everything it read. */
export async function readUntil(
  gateway: Gateway,
  person: string,
  id: SessionId,
  after: number,
  isLast: (envelope: Envelope) => boolean,
): Promise<Envelope[]> {
  const seen: Envelope[] = [];
  for await (const envelope of gateway.subscribe(person, id, { after })) {
    seen.push(envelope);
    if (isLast(envelope)) return seen;
  }
  return seen;
}

export const endOf = (turnId: string) => (envelope: Envelope) =>
  envelope.turnId === turnId && envelope.event.type === 'turn.ended';
