// A waiting time in words. Pure.

/** Such as `in 1 second`, `in 90 seconds`, `in 3 minutes`. */
export function inTime(seconds: number): string {
  if (seconds >= 120) return `in ${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`;
}
