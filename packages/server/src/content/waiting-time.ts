// Waiting times: as services ask for them, and in words. Pure.
import { say } from '@parley/protocol';

/** What a `Retry-After` header asks for, in seconds or as a date. Undefined if it doesn't say, or if a date needs `now`. */
export function retryAfterMs(header: string | null | undefined, now = Number.NaN): number | undefined {
  const value = header?.trim() ?? '';
  const ms = /^\d+(\.\d+)?$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Such as `in 1 second`, `in 90 seconds`, `in 3 minutes`. */
export function waitText(seconds: number): string {
  if (seconds >= 120) return say`in ${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? say`in 1 second` : say`in ${seconds} seconds`;
}

/** For a person whose turn waits for those of other sessions. */
export function waitingText(ahead: number): string {
  if (ahead === 0) return 'Waiting for other sessions: you are next.';
  return `Waiting for other sessions: ${ahead} ${ahead === 1 ? 'is' : 'are'} ahead of you.`;
}
