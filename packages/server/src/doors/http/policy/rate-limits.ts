// Limits requests per minute, per client address and overall.
import type { FastifyRequest } from 'fastify';
import { BoundedMap } from '../../../basics/bounded-map.ts';
import { clientOf } from '../client-address.ts';
import type { HttpLimits } from '../door-options.ts';

/** Each returns the seconds to wait, or undefined if the request is within the limit. */
export interface RateChecks {
  readonly perAddress: RateCheck;
  /** Per address too, for files of the app: a browser requests dozens of them at once, and each costs next to nothing. */
  readonly files: RateCheck;
  /** All requests without valid credentials together. */
  readonly strangers: RateCheck;
  /** All other requests together. Counted apart, so that strangers can't use up the household's share. */
  readonly household: RateCheck;
}

type RateCheck = (request: FastifyRequest) => number | undefined;

const windowMs = 60_000;
const filesPerRequest = 10;
/** Only this many recent addresses are counted. */
const maxAddresses = 5_000;

export function rateChecks({ perAddress, overall }: HttpLimits['requestsPerMinute']): RateChecks {
  return {
    perAddress: limit(perAddress, ({ ip }) => clientOf(ip)),
    files: limit(perAddress * filesPerRequest, ({ ip }) => clientOf(ip)),
    strangers: limit(overall, () => 'all'),
    household: limit(overall, () => 'all'),
  };
}

/** Counts for a minute from the first request on, then starts again. */
function limit(most: number, keyOf: (request: FastifyRequest) => string): RateCheck {
  const windows = new BoundedMap<string, { count: number; readonly endsAt: number }>(maxAddresses);
  return (request) => {
    const key = keyOf(request);
    const now = performance.now();
    const known = windows.get(key);
    const window = known && known.endsAt > now ? known : { count: 0, endsAt: now + windowMs };
    if (window !== known) windows.set(key, window);
    window.count += 1;
    return window.count > most ? Math.ceil((window.endsAt - now) / 1_000) : undefined;
  };
}
