// Builds the notifications to devices. The addresses of push services come from browsers, so requests to them are guarded
// like those to any address that somebody else chose.
import type { PersonName } from '@parley/protocol';
import type { Outgoing } from '../basics/outgoing.ts';
import type { Config } from '../config/schema.ts';
import { systemClock } from '../domain/clock.ts';
import type { Logger } from '../domain/logger.ts';
import type { PushStore, Watching } from '../domain/push.ts';
import { openPush, type RunningPush } from '../push/push.ts';
import { createGuardedFetch } from '../tools/web/guarded-fetch.ts';
import { version } from '../version.ts';

export interface PushSetup {
  readonly config: Pick<Config, 'push' | 'publicHosts'>;
  readonly store: PushStore;
  readonly watching: Watching;
  readonly displayNameOf: (person: PersonName) => string;
  readonly outgoing: Outgoing;
  readonly logger: Logger;
}

export function openNotifications({ config, outgoing, ...parts }: PushSetup): Promise<RunningPush> {
  const { allowedHosts } = config.push;
  return openPush({
    ...parts,
    allowedHosts,
    contact: `https://${config.publicHosts[0] ?? 'localhost'}`,
    clock: systemClock,
    http: createGuardedFetch({ exceptions: allowedHosts, outgoing, userAgent: `Parley/${version}` }),
  });
}
