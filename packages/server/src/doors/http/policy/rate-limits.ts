// How often one client address, and all of them together, may ask within a minute.
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { HttpLimits } from '../options.ts';

/** Resolves with the seconds to wait, or with nothing when the request is within its limits. */
export type RateCheck = (request: FastifyRequest) => Promise<number | undefined>;

const timeWindow = 60_000;

export async function rateCheck(app: App, limits: HttpLimits['requestsPerMinute']): Promise<RateCheck> {
  await app.register(rateLimit, { global: false });
  // The plugin's own key: the address, IPv6 cut to its /64, in a bounded cache.
  const perAddress = app.createRateLimit({ max: limits.perAddress, timeWindow });
  const overall = app.createRateLimit({ max: limits.overall, timeWindow, keyGenerator: () => 'everybody' });

  return async (request) => {
    // In this order, so that one noisy address does not use up what belongs to all.
    for (const check of [perAddress, overall]) {
      const state = await check(request);
      if (!state.isAllowed && state.isExceeded) return state.ttlInSeconds;
    }
    return undefined;
  };
}
