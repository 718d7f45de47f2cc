// Limits requests per minute, per client address and overall.
import rateLimit from '@fastify/rate-limit';
import type { FastifyRequest } from 'fastify';
import type { App } from '../app.ts';
import type { HttpLimits } from '../options.ts';

/** Resolves with the seconds to wait, or undefined if the request is within its limits. */
export type RateCheck = (request: FastifyRequest) => Promise<number | undefined>;

const timeWindow = 60_000;

export async function rateCheck(app: App, limits: HttpLimits['requestsPerMinute']): Promise<RateCheck> {
  await app.register(rateLimit, { global: false });
  // The plugin's default key is the address, with IPv6 cut to its /64, in a bounded cache.
  const perAddress = app.createRateLimit({ max: limits.perAddress, timeWindow });
  const overall = app.createRateLimit({ max: limits.overall, timeWindow, keyGenerator: () => 'everybody' });

  return async (request) => {
    // In this order, so that one noisy address can't use up everybody's share.
    for (const check of [perAddress, overall]) {
      const state = await check(request);
      if (!state.isAllowed && state.isExceeded) return state.ttlInSeconds;
    }
    return undefined;
  };
}
