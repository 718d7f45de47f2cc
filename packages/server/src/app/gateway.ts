// Builds the gateway of this server.
import { randomUUID } from 'node:crypto';
import type { Config } from '../config/schema.ts';
import type { ActivityObserver } from '../domain/activity.ts';
import { systemClock } from '../domain/clock.ts';
import type { Ownership } from '../domain/ownership.ts';
import { createGateway, type GatewayOptions, type RunningGateway } from '../gateway/gateway.ts';
import type { Stores } from './stores.ts';

export interface GatewaySetup
  extends Pick<GatewayOptions, 'engines' | 'observer' | 'access' | 'audit' | 'logger'> {
  readonly config: Config;
  readonly stores: Pick<Stores, 'store' | 'allowances'>;
  /** If there are several servers. */
  readonly ownership: Ownership | undefined;
  readonly activity: readonly ActivityObserver[];
}

export function openGateway(setup: GatewaySetup): RunningGateway {
  const { config, stores, ownership, activity, ...parts } = setup;
  return createGateway({
    ...parts,
    store: stores.store,
    ...(ownership && { ownership }),
    ...(stores.allowances && { allowances: stores.allowances }),
    clock: systemClock,
    newId: randomUUID,
    activity: {
      noticed(person, what) {
        for (const observer of activity) observer.noticed(person, what);
      },
    },
    limits: limitsOf(config),
  });
}

function limitsOf({ limits }: Config): GatewayOptions['limits'] {
  return {
    queue: limits.queuedPrompts,
    promptBytes: { each: limits.waitingBytes, all: limits.totalWaitingBytes },
    keptEvents: limits.keptEvents,
    storageBytes: limits.storageBytes,
    // In memory, for slow readers; older events come from the store.
    log: { events: 4_096, bytes: 4 * 1024 * 1024 },
  };
}
