// A gateway with a real clock, real ids and the usual limits, for tests that only care about what is around it.
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../src/domain/clock.ts';
import { silentLogger } from '../../src/domain/logger.ts';
import { createGateway, type GatewayOptions, type RunningGateway } from '../../src/gateway/gateway.ts';

type Options = Pick<GatewayOptions, 'store' | 'engines'> &
  Partial<Omit<GatewayOptions, 'limits'>> & { readonly limits?: Partial<GatewayOptions['limits']> };

export function openGateway(options: Options): RunningGateway {
  return createGateway({
    clock: systemClock,
    newId: randomUUID,
    logger: silentLogger,
    observer: { turnEnded: () => undefined },
    ...options,
    limits: {
      queue: 20,
      keptEvents: 5_000,
      log: { events: 4_096, bytes: 8 * 1024 * 1024 },
      ...options.limits,
    },
  });
}
