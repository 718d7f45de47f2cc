// Limits requests per minute, per client address and overall.
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { HttpLimits } from '../options.ts';

/** Each resolves with the seconds to wait, or with undefined if the request is within the limit. */
export interface RateChecks {
  readonly perAddress: RateCheck;
  /** Per address too, for files of the app: a browser requests dozens of them at once, and each costs next to nothing. */
  readonly files: RateCheck;
  /** All requests without valid credentials together. */
  readonly strangers: RateCheck;
  /** All other requests together. Apart, so that strangers can't use up the household's share. */
  readonly household: RateCheck;
}

type RateCheck = (request: FastifyRequest) => Promise<number | undefined>;

const timeWindow = 60_000;
const filesPerRequest = 10;

export async function rateChecks(app: App, limits: HttpLimits['requestsPerMinute']): Promise<RateChecks> {
  await app.register(rateLimit, { global: false });
  const overall = (name: string) =>
    app.createRateLimit({ max: limits.overall, timeWindow, keyGenerator: () => name });
  // The plugin's default key is the address, with IPv6 cut to its /64, in a bounded cache.
  const perAddress = (max: number) => secondsToWait(app.createRateLimit({ max, timeWindow }));
  return {
    perAddress: perAddress(limits.perAddress),
    files: perAddress(limits.perAddress * filesPerRequest),
    strangers: secondsToWait(overall('strangers')),
    household: secondsToWait(overall('household')),
  };
}

function secondsToWait(check: ReturnType<App['createRateLimit']>): RateCheck {
  return async (request) => {
    const state = await check(request);
    return !state.isAllowed && state.isExceeded ? state.ttlInSeconds : undefined;
  };
}
