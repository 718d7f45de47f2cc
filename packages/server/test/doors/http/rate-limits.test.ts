// Limits of requests in the server itself are tested in policy.test.ts; these are the parts that need a clock or many addresses.
import type { FastifyRequest } from 'fastify';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { rateChecks } from '../../../src/doors/http/policy/rate-limits.ts';

const from = (ip: string) => ({ ip }) as FastifyRequest;

describe('the limit of requests', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts from the first request on and starts again after a minute', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { perAddress } = rateChecks({ perAddress: 2, overall: 100 });
    expect(perAddress(from('192.0.2.1'))).toBeUndefined();
    vi.advanceTimersByTime(20_500);
    expect(perAddress(from('192.0.2.1'))).toBeUndefined();
    expect(perAddress(from('192.0.2.1'))).toBe(40);
    expect(perAddress(from('192.0.2.2'))).toBeUndefined();
    vi.advanceTimersByTime(39_500);
    expect(perAddress(from('192.0.2.1'))).toBeUndefined();
  });

  it('does not remember more than the newest addresses', () => {
    const { perAddress } = rateChecks({ perAddress: 1, overall: 100 });
    perAddress(from('192.0.2.1'));
    for (let number = 0; number < 5_000; number += 1) perAddress(from(`10.0.${number >> 8}.${number & 255}`));
    expect(perAddress(from('192.0.2.1'))).toBeUndefined();
    expect(perAddress(from('10.0.19.135'))).toBeGreaterThan(0);
  });
});
